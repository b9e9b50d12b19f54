import { engines } from './engines.ts'

/** Converts one long PDF and prints what it took: CPU seconds and the most memory. */
const before = process.cpuUsage()
const markdown = await engines.ours(process.argv[2] as string)
const { user, system } = process.cpuUsage(before)
const peakRssMb = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ characters: markdown.length, cpuSeconds: (user + system) / 1e6, peakRssMb }))
