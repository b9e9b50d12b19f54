import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { type Browser, chromium, type Page } from 'playwright-core'

/**
 * Takes the pictures under `docs/screenshots/` of a service of its own, filled with files made here:
 *
 *   node scripts/take-screenshots.ts
 */
const ROOT = join(import.meta.dirname, '..')
const PICTURES = join(ROOT, 'docs', 'screenshots')
const KEY = 'fast_prod_screenshots_only_0123456789'
const EMAIL = 'ada@example.com'
const PASSWORD = 'a quarry of words'

const REPORT = `
#set page(margin: 2.2cm)
#set text(size: 11pt)
= Harvest report
The orchards of the north valley gave more than in any year since the new trees were planted. Rain came late, and the
pickers began on the last day of August.
== Yield by orchard
#table(columns: 4, [*Orchard*], [*Trees*], [*Tonnes*], [*Change*],
  [Hill], [420], [38.1], [+12 %], [Mill], [310], [24.6], [+4 %], [River], [275], [19.0], [-3 %], [Old wall], [96], [5.2], [+1 %])
== What comes next
- Graft forty trees at the river.
- Mend the wall before the frost.
- Sell the small fruit to the press in town.
#figure(rect(width: 60%, height: 3cm, fill: gradient.linear(rgb("#0f6b63"), rgb("#e1efed"))), caption: [Ripening over the summer])
#pagebreak()
= Weather
The spring was dry. In June a storm broke branches at the mill, and nothing else.
`
/** Who says what: a voice of espeak-ng and a sentence. */
const MEETING = [
  ['en-us+m3', 'Let us begin. We decided to open the north quarry in March.'],
  ['en-gb+f2', 'I will write the safety plan by Friday.'],
  ['en-us+m3', 'Good. What is the budget for the new road?'],
  ['en-gb+f2', 'The budget for the road is twelve thousand. We agreed on that last week.'],
  ['en-us+m3', 'Please ask the council for the permit before the end of the month.'],
] as const

const scratch = await mkdtemp(join(tmpdir(), 'quarry-pictures-'))
const file = (name: string): string => join(scratch, name)

const makeFiles = async (): Promise<void> => {
  await writeFile(file('harvest report.pdf'), NodeCompiler.create().pdf({ mainFileContent: REPORT }))
  MEETING.forEach(([voice, words], i) => {
    execFileSync('espeak-ng', ['-v', voice, '-s', '140', '-w', file(`part-${i}.wav`), words])
  })
  const parts = MEETING.flatMap((_, i) => ['-i', file(`part-${i}.wav`)])
  const joined = ['-filter_complex', `concat=n=${MEETING.length}:v=0:a=1`]
  execFileSync('ffmpeg', ['-v', 'error', ...parts, ...joined, file('meeting.wav')])
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=640x360:rate=25:duration=12',
    '-f',
    'lavfi',
    '-i',
    'sine=440:d=12',
  ]
  execFileSync('ffmpeg', ['-v', 'error', ...source, '-pix_fmt', 'yuv420p', '-shortest', file('walk-through.mp4')])
  await writeFile(file('stones.csv'), 'stone,density,price\ngranite,2.7,40\nmarble,2.6,95\nslate,2.8,33\n')
}

const env = { ...process.env, QUARRY_DATA: join(scratch, 'data'), QUARRY_DEMO_KEY: KEY, PORT: '0', HOST: '127.0.0.1' }
const operate = (...args: string[]): Record<string, string> =>
  JSON.parse(
    execFileSync(process.execPath, ['src/main.ts', ...args, '--json'], { cwd: ROOT, env, input: PASSWORD }).toString(),
  ) as Record<string, string>

const startService = async (): Promise<{ base: string; stop(): Promise<void> }> => {
  const child = spawn(process.execPath, ['src/main.ts', 'serve'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const { promise: port, resolve } = Promise.withResolvers<number>()
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const ready = /"port":(\d+).*"msg":"ready"/.exec(said)
      if (ready) resolve(Number(ready[1]))
    })
  }
  const base = `http://127.0.0.1:${await port}`
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { base, stop }
}

type View = { name: string; dark?: boolean; phone?: boolean; full?: boolean }

const picture = async (page: Page, { name, full = true }: View): Promise<void> => {
  await page.waitForLoadState('networkidle')
  await page.locator('main .spinner').first().waitFor({ state: 'detached' })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: full, animations: 'disabled' })
  process.stderr.write(`${name}\n`)
}

const newPage = async (browser: Browser, base: string, { dark = false, phone = false }: Omit<View, 'name'> = {}) => {
  const context = await browser.newContext({
    baseURL: base,
    viewport: phone ? { width: 390, height: 844 } : { width: 1180, height: 800 },
    colorScheme: dark ? 'dark' : 'light',
  })
  context.setDefaultTimeout(60_000)
  return context.newPage()
}

const choose = (page: Page, name: string): Promise<void> =>
  page.locator('input[type=file]').first().setInputFiles(file(name))

const submit = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /for \d+ credits?/ }).click()
  await page.getByRole('link', { name: /Download ZIP/ }).waitFor()
}

const takeGuestPages = async (browser: Browser, base: string): Promise<void> => {
  const page = await newPage(browser, base)
  await page.goto('/')
  await picture(page, { name: 'try-it' })
  await choose(page, 'harvest report.pdf')
  await page.getByRole('button', { name: /for \d+ credits?/ }).waitFor()
  await picture(page, { name: 'try-it-quote' })
  await submit(page)
  await picture(page, { name: 'result-document' })
  for (const [name, view] of [
    ['try-it-phone', { phone: true }],
    ['try-it-dark', { dark: true }],
  ] as const) {
    const other = await newPage(browser, base, view)
    await other.goto('/')
    await choose(other, 'stones.csv')
    await other.getByRole('button', { name: /for \d+ credits?/ }).waitFor()
    await picture(other, { name, full: false })
  }
  for (const path of ['sign-in', 'sign-up']) {
    await page.goto(`/${path}`)
    await picture(page, { name: path })
  }
}

const signIn = async (page: Page): Promise<void> => {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account')
}

const takeResults = async (page: Page): Promise<void> => {
  await page.goto('/')
  await choose(page, 'walk-through.mp4')
  await submit(page)
  await picture(page, { name: 'result-video' })
  await page.goto('/')
  await choose(page, 'meeting.wav')
  await page.getByLabel(/^Transcript only/).check()
  await page.getByLabel(/^Meeting intelligence/).check()
  await submit(page)
  await picture(page, { name: 'result-meeting' })
}

const takeAccountPages = async (page: Page): Promise<void> => {
  await page.goto('/account/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('nightly import')
  await picture(page, { name: 'account-new-key', full: false })
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByText('Copy it now').waitFor()
  for (const name of ['', 'keys', 'credits', 'jobs', 'usage', 'webhooks', 'settings']) {
    await page.goto(`/account/${name}`)
    await picture(page, { name: name === '' ? 'account' : `account-${name}` })
  }
  for (const name of ['', 'accounts', 'jobs']) {
    await page.goto(`/admin/${name}`)
    await picture(page, { name: name === '' ? 'operate' : `operate-${name}` })
  }
  await page.goto('/admin/accounts')
  await page.getByRole('link', { name: 'demo' }).click()
  await page.getByRole('heading', { name: 'Give credits' }).waitFor()
  await picture(page, { name: 'operate-account' })
}

const DOCS = ['', '/formats', '/formats/pdf', '/prices', '/errors', '/webhooks']
const takeDocs = async (page: Page): Promise<void> => {
  for (const path of DOCS) {
    await page.goto(`/docs${path}`)
    await picture(page, { name: `docs${path.replaceAll('/', '-')}`, full: false })
  }
  await page.goto('/docs/search?q=webhook')
  await picture(page, { name: 'docs-search', full: false })
  await page.goto('/docs/api')
  await page.getByText('/extract/transcribe').first().waitFor()
  await picture(page, { name: 'docs-api', full: false })
}

await mkdir(PICTURES, { recursive: true })
await makeFiles()
const service = await startService()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const [account] = operate('account', 'list') as unknown as { id: string }[]
  if (!account) throw new Error('there is no demo account')
  operate('user', 'add', '--account', account.id, '--email', EMAIL, '--name', 'Ada', '--password-stdin')
  operate('account', 'admin', '--account', account.id, '--on')
  await takeGuestPages(browser, service.base)
  const page = await newPage(browser, service.base)
  await signIn(page)
  await takeResults(page)
  await takeAccountPages(page)
  await takeDocs(page)
} finally {
  await browser.close()
  await service.stop()
  await rm(scratch, { recursive: true, force: true })
}
