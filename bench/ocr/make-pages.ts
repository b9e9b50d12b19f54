import sharp from 'sharp'

/** A page of our own making: an image, and what stands on it. */
export type MadePage = { name: string; png: Buffer; text: string }

const WORDS =
  'amber basket candle dollar engine forest garden harbor island jacket kettle ladder market needle orange pepper quartz ribbon saddle timber umbrella velvet walnut yellow zipper bread butter cheese coffee apple melon onion rice salt sugar tea water paper pencil brush light cable switch battery'.split(
    ' ',
  )
const SENTENCES = [
  'The committee met on Tuesday and agreed to publish the figures before the end of the month.',
  'Several readers asked whether the old bridge would be closed while the river is dredged.',
  'A careful survey of the northern shore found no trace of the harbour wall described in 1842.',
  'Prices rose by 3.5% in the second quarter, mostly because of energy and transport.',
  'If the valve is left open overnight, the tank will be empty by the time the crew arrives.',
  'She wrote back at once, enclosing a map, two photographs and a receipt for the deposit.',
  'Nobody could explain why the lights in the east wing kept failing after every storm.',
]

/** The same numbers for the same seed, on every machine. */
const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

/** Till receipts: faint type of fixed width on paper that is badly lit, photographed a little askew. */
export const makeReceipt = async (seed: number): Promise<MadePage> => {
  const random = seeded(seed)
  const pick = () => WORDS[Math.floor(random() * WORDS.length)] ?? ''
  const price = () => (random() * 90 + 0.5).toFixed(2)
  const items = Array.from({ length: 12 }, () => {
    const name = `${pick()} ${pick()}`.toUpperCase().slice(0, 20)
    const cost = price()
    return { line: name.padEnd(24) + cost.padStart(8), text: `${name} ${cost}` }
  })
  const head = [
    `${pick()} & ${pick()} STORE`.toUpperCase(),
    `${Math.floor(random() * 900)} ${pick()} STREET`.toUpperCase(),
  ]
  const foot = [
    `TOTAL ${price()}`,
    `CASH ${price()}`,
    `DATE 2021-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 9)}`,
    'THANK YOU',
  ]
  const lines = [...head, '', ...items.map(({ line }) => line), '', ...foot]
  const text = [...head, ...items.map((item) => item.text), ...foot].join('\n')
  const size = 22
  const width = 520
  const height = lines.length * size * 1.35 + 80
  const ink = ['#444', '#666', '#555', '#777'][seed % 4]
  const body = lines
    .map((line, i) => `<text x="40" y="${60 + i * size * 1.35}" xml:space="preserve">${escapeXml(line)}</text>`)
    .join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#f4f1ea"/><stop offset="1" stop-color="#b5b0a8"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/>
    <g font-family="DejaVu Sans Mono" font-size="${size * 0.92}" fill="${ink}">${body}</g></svg>`
  const angle = (random() - 0.5) * 5
  const flat = await sharp(Buffer.from(svg)).rotate(angle, { background: '#5a5248' }).png().toBuffer()
  return {
    name: `receipt-${seed}`,
    png: await degrade(flat, random, { blur: 0.7 + random() * 0.6, noise: 10, quality: 55 }),
    text,
  }
}

/** Small type as screens show it, light or dark. */
export const makeScreenshot = async (seed: number): Promise<MadePage> => {
  const random = seeded(seed)
  const lines = wrap(shuffle(SENTENCES, random).slice(0, 5).join(' '), 62)
  const isDark = seed % 2 === 1
  const size = 13 + (seed % 3)
  const body = lines.map((line, i) => `<text x="24" y="${40 + i * size * 1.6}">${escapeXml(line)}</text>`).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="${80 + lines.length * size * 1.6}">
    <rect width="100%" height="100%" fill="${isDark ? '#1e2430' : '#ffffff'}"/>
    <g font-family="${seed % 4 < 2 ? 'Liberation Sans' : 'DejaVu Sans'}" font-size="${size}" fill="${isDark ? '#d7dce4' : '#222'}">${body}</g></svg>`
  return { name: `screenshot-${seed}`, png: await sharp(Buffer.from(svg)).png().toBuffer(), text: lines.join('\n') }
}

/** A sheet of paper photographed by hand: shadow across it, blur, noise, a lean. */
export const makePhoto = async (seed: number): Promise<MadePage> => {
  const random = seeded(seed)
  const lines = wrap(
    shuffle([...SENTENCES, ...SENTENCES], random)
      .slice(0, 10)
      .join(' '),
    70,
  )
  const size = 30
  const width = 1400
  const height = 200 + lines.length * size * 1.5
  const body = lines.map((line, i) => `<text x="100" y="${120 + i * size * 1.5}">${escapeXml(line)}</text>`).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><radialGradient id="g" cx="${0.2 + random() * 0.6}" cy="${0.2 + random() * 0.6}" r="0.8"><stop offset="0" stop-color="#fbf9f4"/><stop offset="1" stop-color="#6f6a66"/></radialGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/>
    <g font-family="Liberation Serif" font-size="${size}" fill="#2c2a2a">${body}</g></svg>`
  const flat = await sharp(Buffer.from(svg))
    .rotate((random() - 0.5) * 8, { background: '#3b2f24' })
    .png()
    .toBuffer()
  return {
    name: `photo-${seed}`,
    png: await degrade(flat, random, { blur: 0.8 + random(), noise: 14, quality: 60 }),
    text: lines.join('\n'),
  }
}

const degrade = async (
  png: Buffer,
  random: () => number,
  { blur, noise, quality }: { blur: number; noise: number; quality: number },
): Promise<Buffer> => {
  const { data, info } = await sharp(png).removeAlpha().blur(blur).raw().toBuffer({ resolveWithObject: true })
  for (let i = 0; i < data.length; i += 3) {
    const shift = (random() + random() + random() - 1.5) * noise * 2
    for (let c = 0; c < 3; c++) data[i + c] = Math.max(0, Math.min(255, (data[i + c] ?? 0) + shift))
  }
  const jpeg = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer()
  return await sharp(jpeg).png().toBuffer()
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const shuffle = <T>(values: readonly T[], random: () => number): T[] =>
  values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)

const wrap = (text: string, columns: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
