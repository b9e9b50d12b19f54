import { primaryLanguage } from '../writers/language.ts'
import type { Sentence } from './sentences.ts'

/** What sentences are about: the stems of their words of content, and how each stem is mostly written. */
export type Terms = {
  /** Stems of each sentence, in order. */
  bySentence: readonly (readonly string[])[]
  /** In how many sentences a stem stands. */
  frequency: ReadonlyMap<string, number>
  written: ReadonlyMap<string, string>
}

const STOP_WORDS = new Set(
  `a about above across actually after again all almost already also although always am among an and another any anybody
  anyone anything anyway are around as ask asked at away back basically be because been before being believe below best
  better between big bit both bring but by came can cannot come comes coming could couple day definitely did different do
  does doing done down during each either else end enough especially even ever every everybody everyone everything exactly
  fact far feel few fine first for from further gave general get gets getting give given gives go goes going gone gonna
  good got great guess guys had happen happened happening happens has have having he hello help her here hers herself hey
  hi him himself his hmm how however huh i if in inside instead into is it its itself just keep kind kinda knew know known
  last later least less let like likely little long look looked looking looks lot made make makes making many maybe me
  mean means might mine mm mhm moment more most move much must my myself near need needed needs never new next nice no
  nobody none nor not nothing now number obviously of off oh ok okay old on once one ones only onto or other others ought
  our ours ourselves out over own part people perhaps place please point pretty probably put quick quickly quite rather
  really reason right said same saw say saying says second see seem seems seen sense shall she should show side similar
  simply since so some somebody somehow someone something sometimes somewhere soon sorry sort still stuff such sure take
  taken takes taking talk talked talking tell than thank thanks that the their theirs them themselves then there
  therefore these they thing things think thinking third this those though thought three through till time times to today
  together told too took toward tried try trying turn two uh um under unless until up upon us use used uses using usually
  very wait wanna want wanted wants was way ways we week well went were what whatever when whenever where wherever
  whether which while who whoever whole whom whose why will with within without wonder work worked working works would
  yeah year yep yes yesterday yet you your yours yourself yourselves tomorrow monday tuesday wednesday thursday friday
  saturday sunday morning afternoon everybody folks alright everyone's actually literally gotta sounds agree agreed
  'll 've 're 'd ain't`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Words without content in other languages that are longer than three letters; shorter ones never count. */
const FUNCTION_WORDS = new Set(
  `aber alle allem allen aller alles also andere auch beim bereits damit dann dass dein deine denn deren dessen dich
  diese diesem diesen dieser dieses doch dort durch eben eigentlich eine einem einen einer eines einfach euch euer
  etwas ganz geht gibt habe haben halt hast hatte heute hier ihre ihrem ihren ihrer immer jetzt kann kein keine
  können könnte machen mehr mein meine mich muss müssen nach nicht nichts noch nochmal oder ohne schon sehr sein
  seine sich sind soll sollte sollten sondern über unser unsere unserem unter viel viele vielleicht vom waren warum
  weil welche wenn werden wie wieder will wird wirklich wollen worden wurde würde zwischen alors aussi autre autres
  avait avec avez avoir avons beaucoup bien cela cette ceux chez comme comment dans deux depuis dire donc elle elles
  encore entre était être faire fait faut ils jamais juste leur leurs mais même mieux moins nous notre parce pendant
  peut peux plus pour pourquoi quand quelque quelques quoi sans sera sont sous suis tous tout toute toutes très trop
  voilà votre vous vraiment ahora algo alguien algún alguna aunque cada como cómo contra creo cual cuando cuándo
  cuánto desde donde dónde dos ella ellos entonces eran eres esta está están este esto estos estoy fue fueron gente
  había hace hacer hacia hasta hay los mismo mucho muchos muy nada nosotros nuestra nuestro otra otro otros para
  pero poco porque pues puede pueden qué quien quién quiero sabe ser será si sido siempre sobre solo sólo somos son
  soy tambien también tanto tener tenemos tengo tiene tienen toda todo todos unos usted vamos veces voy anche ancora
  avere bene come così cosa cose dalla dalle degli della delle dello dentro deve dopo dove erano essere fare fatto
  hanno loro meglio mentre molto nella nelle noi nostra nostro ogni perché però più poi possiamo prima proprio
  qualche quando quanto quella quello questa queste questi questo quindi sempre senza siamo sono sopra stato sulla
  tutti tutto abbiamo uno vostro agora ainda aqui até com depois dela dele deles disso então essa esse estão eles
  isso isto mas mesmo minha muito nem nós nossa nosso onde outra outro pela pelo pode quem seja seu também temos
  tenho uma você vocês zijn hebben heeft naar niet voor maar over deze door waar wordt ook meer moet moeten onze
  gaan dit dat wij jullie было быть ведь весь все всё всего всех даже если есть ещё здесь значит или как какой когда
  которая которые который кто меня может можно надо наш него нет них ничего около она они оно очень просто сейчас
  свой себя так такой там тебя тогда того тоже только тут уже хорошо чего чтобы это этот этого этом этой`.split(/\s+/),
)

/** Of the others, those that stand in so many sentences say little, the shorter the less. */
const COMMON_SHARE = 0.12
const COMMON_SHORT_SHARE = 0.04

/** Reads what sentences are about. */
export const readTerms = (sentences: readonly Sentence[], language: string): Terms => {
  const isEnglish = primaryLanguage(language) === 'en'
  const segmenter = makeSegmenter(language)
  const spellings = new Map<string, Map<string, number>>()
  const found = sentences.map(({ text }) => {
    const stems: string[] = []
    for (const { segment, isWordLike } of segmenter.segment(text.replaceAll('’', "'"))) {
      if (!isWordLike || !isContent(segment, isEnglish)) continue
      const stem = isEnglish ? stemEnglish(segment.toLowerCase()) : segment.toLowerCase()
      stems.push(stem)
      const counts = spellings.get(stem) ?? new Map<string, number>()
      counts.set(segment, (counts.get(segment) ?? 0) + 1)
      spellings.set(stem, counts)
    }
    return stems
  })
  const frequency = countSentences(found)
  const bySentence = isEnglish
    ? found
    : found.map((stems) => stems.filter((stem) => isRare(stem, frequency, found.length)))
  return {
    bySentence,
    frequency,
    written: new Map([...spellings].map(([stem, counts]) => [stem, mostWritten(counts)])),
  }
}

const makeSegmenter = (language: string): Intl.Segmenter => {
  try {
    return new Intl.Segmenter(language, { granularity: 'word' })
  } catch {
    return new Intl.Segmenter('und', { granularity: 'word' })
  }
}

const isContent = (word: string, isEnglish: boolean): boolean => {
  const lower = word.toLowerCase()
  if (/^[\p{N}.,:%]+$/u.test(word)) return false
  if (isEnglish) return word.length > 2 && !STOP_WORDS.has(lower) && !STOP_WORDS.has(lower.replace(/'.*$/, ''))
  const isDense = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)
  return [...word].length > (isDense ? 1 : 3) && !FUNCTION_WORDS.has(lower)
}

const isRare = (stem: string, frequency: ReadonlyMap<string, number>, sentenceCount: number): boolean => {
  // In a short text nothing is common enough to tell.
  const share = sentenceCount < 25 ? 0 : (frequency.get(stem) ?? 0) / sentenceCount
  return share <= ([...stem].length <= 4 ? COMMON_SHORT_SHARE : COMMON_SHARE)
}

const countSentences = (found: readonly (readonly string[])[]): Map<string, number> => {
  const frequency = new Map<string, number>()
  for (const stems of found) {
    for (const stem of new Set(stems)) frequency.set(stem, (frequency.get(stem) ?? 0) + 1)
  }
  return frequency
}

const mostWritten = (counts: ReadonlyMap<string, number>): string =>
  [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? ''

/** Enough of a stem that a word and its plural, its past and its -ing meet. */
const stemEnglish = (word: string): string => {
  const bare = word.replace(/'s?$/, '')
  if (bare.length > 5 && bare.endsWith('ies')) return `${bare.slice(0, -3)}y`
  for (const ending of ['ing', 'ed', 'es', 's']) {
    const least = ending === 's' ? 3 : 4
    if (!bare.endsWith(ending) || bare.length - ending.length < least || bare.endsWith('ss')) continue
    const stem = bare.slice(0, -ending.length)
    // `planning` and `planned` meet `plan`; `pricing` meets `price`.
    return /([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem.replace(/e$/, '')
  }
  return bare.replace(/e$/, '')
}
