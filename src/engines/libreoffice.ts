import { existsSync, realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Tool } from '../core/catalog.ts'
import { JobFailure } from '../core/errors.ts'
import { type Office, type OfficeAnswer, type OfficeRequest, startOffice } from './libreoffice/office-process.ts'
import { keepResident, residentsFolder } from './residents.ts'

const PROGRAMS = '/usr/lib/libreoffice/program'
const PYTHON_UNO: Tool = {
  name: 'python3-uno',
  file: '/usr/lib/python3/dist-packages/uno.py',
  debianPackage: 'python3-uno',
  purpose: 'keeps LibreOffice running between conversions',
}
const module = (name: string, file: string, debianPackage: string, purpose: string): Tool => ({
  name: `LibreOffice ${name}`,
  file: `${PROGRAMS}/${file}`,
  debianPackage,
  purpose,
})
const [writer, impress, calc] = [
  module('Writer', 'libswlo.so', 'libreoffice-writer-nogui', 'reads old Word, RTF and Pages files; draws pages'),
  module('Impress', 'libsdlo.so', 'libreoffice-impress-nogui', 'reads old PowerPoint and Keynote files; draws slides'),
  module('Calc', 'libsclo.so', 'libreoffice-calc-nogui', 'reads Numbers files'),
]

/** The program, as families declare it, by what they need it for. */
export const OFFICE_TOOLS = {
  text: [writer, PYTHON_UNO],
  slides: [impress, PYTHON_UNO],
  sheets: [calc, PYTHON_UNO],
} as const satisfies Record<OfficeRequest['kind'], readonly Tool[]>

/** What a conversion needs of the job it works for. */
export type OfficeJob = { signal: AbortSignal; scratch: string }

/** A file, what it is read as, and what is written of it; names of filters are LibreOffice's. */
export type Conversion = Omit<OfficeRequest, 'password' | 'window'> & { password?: string }

const CONVERSION_SECONDS = 180
/** It grows a little with each document; after so many it is started anew. */
const CONVERSIONS_PER_OFFICE = 60

let kept: Office | undefined

/**
 * Converts a document. The office is started at the first need and stays for later jobs of this process where it may;
 * one that ends under a file, or refuses it after it has seen others, gives way to a new one that tries once more, with
 * more care.
 */
export const convertOffice = async (conversion: Conversion, job: OfficeJob): Promise<void> => {
  const request = { ...conversion, password: conversion.password ?? '', window: true }
  const first = await tryOnce(request, job)
  const isCertain = first.outcome === 'done' || first.outcome === 'encrypted' || (first.wasNew && !first.crashed)
  const { outcome, detail } = isCertain ? first : await tryOnce({ ...request, window: !first.crashed }, job, true)
  const cause = new Error(`LibreOffice: ${detail}`)
  if (outcome === 'encrypted') {
    const isWrong = request.password !== ''
    const told = isWrong ? { detail: 'The password does not open the file.' } : {}
    throw new JobFailure('extract.source_encrypted', isWrong ? { reason: 'wrong-password' } : {}, { cause, ...told })
  }
  if (outcome === 'unreadable') throw new JobFailure('extract.source_unreadable', {}, { cause })
  if (outcome === 'failed') throw new JobFailure('extract.engine_failed', { engine: 'LibreOffice' }, { cause })
  // It can say that it has written what it has not.
  for (const { path } of conversion.outputs) {
    const facts = await stat(path).catch(() => undefined)
    if (!facts?.size) throw new JobFailure('extract.engine_failed', { engine: 'LibreOffice' }, { cause })
  }
}

type Trial = OfficeAnswer & { wasNew: boolean; crashed: boolean }

const tryOnce = async (request: OfficeRequest, job: OfficeJob, startAnew = false): Promise<Trial> => {
  job.signal.throwIfAborted()
  const office = await takeOffice(job, startAnew)
  const wasNew = office.conversions() === 0
  try {
    return { ...(await convertWithin(office, request, job)), wasNew, crashed: false }
  } catch (error) {
    await drop(office)
    job.signal.throwIfAborted()
    if (error instanceof JobFailure) throw error
    return { outcome: 'failed', detail: (error as Error).message, wasNew, crashed: true }
  } finally {
    if (office !== kept) await office.end()
  }
}

const takeOffice = async (job: OfficeJob, startAnew: boolean): Promise<Office> => {
  const isWorn = kept && (!kept.isAlive() || kept.conversions() >= CONVERSIONS_PER_OFFICE)
  if (kept && (startAnew || isWorn)) await drop(kept)
  const home = residentsFolder()
  if (kept && home !== undefined) return kept
  const programs = findPrograms()
  try {
    const office = await startOffice(home ?? job.scratch, programs)
    if (home === undefined) return office
    keepResident(office.child, [office.officePid])
    kept = office
    return office
  } catch (cause) {
    throw new JobFailure('extract.engine_failed', { engine: 'LibreOffice' }, { cause })
  }
}

const drop = async (office: Office): Promise<void> => {
  if (kept === office) kept = undefined
  await office.end()
}

const convertWithin = async (office: Office, request: OfficeRequest, { signal }: OfficeJob): Promise<OfficeAnswer> => {
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  const timer = setTimeout(
    () => reject(new JobFailure('extract.timed_out', { limit: 'conversion_seconds', allowed: CONVERSION_SECONDS })),
    CONVERSION_SECONDS * 1000,
  )
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([office.convert(request), interrupted])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Where it is installed; Debian's link leads there also where that is elsewhere. */
const findPrograms = (): string => {
  if (existsSync(`${PROGRAMS}/soffice.bin`)) return PROGRAMS
  try {
    return dirname(realpathSync('/usr/bin/soffice'))
  } catch (cause) {
    const detail = 'LibreOffice, which reads files of this format, is not installed.'
    throw new JobFailure('extract.engine_failed', { engine: 'LibreOffice', missing: true }, { detail, cause })
  }
}
