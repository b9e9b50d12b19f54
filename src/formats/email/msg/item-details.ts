import { ID, type Properties } from './properties.ts'

type Entry = readonly [label: string, value: string]

/** Facts of an appointment, a task or a contact, which its body does not repeat. */
export const readDetails = (item: Properties, names: ReadonlyMap<string, number>): Entry[] => {
  const kind = (item.text(ID.messageClass) ?? '').toLowerCase()
  const named = (name: string): number => names.get(name) ?? -1
  if (/^ipm\.(?:appointment|schedule\.meeting)/.test(kind)) return readAppointment(item, named)
  if (kind.startsWith('ipm.task')) return readTask(item, named)
  if (kind.startsWith('ipm.contact') || kind.startsWith('ipm.abchperson')) return readContact(item, named)
  return []
}

const entries = (list: readonly (readonly [string, string | undefined])[]): Entry[] =>
  list.flatMap(([label, value]) => (value?.trim() ? [[label, value.trim()] as const] : []))

const readAppointment = (item: Properties, named: (name: string) => number): Entry[] => {
  const isAllDay = item.flag(named('62002:8215')) ?? false
  const time = (id: number): string | undefined => {
    const iso = item.time(id)
    return isAllDay ? iso?.slice(0, 10) : iso
  }
  return entries([
    ['Start', time(named('62002:820d'))],
    ['End', time(named('62002:820e'))],
    ['Location', item.text(named('62002:8208'))],
    ['Repeats', item.text(named('62002:8232'))],
  ])
}

const TASK_STATUS = ['Not started', 'In progress', 'Completed', 'Waiting on someone else', 'Deferred']

const readTask = (item: Properties, named: (name: string) => number): Entry[] => {
  const percent = item.number(named('62003:8102'))
  return entries([
    ['Start', item.time(named('62003:8104'))?.slice(0, 10)],
    ['Due', item.time(named('62003:8105'))?.slice(0, 10)],
    ['Status', TASK_STATUS[item.number(named('62003:8101')) ?? -1]],
    ['Complete', percent === undefined ? undefined : `${Math.round(percent * 100)} %`],
    ['Owner', item.text(named('62003:811f'))],
  ])
}

const readContact = (item: Properties, named: (name: string) => number): Entry[] =>
  entries([
    ['Name', item.text(ID.displayName)],
    ['Company', item.text(0x3a16)],
    ['Department', item.text(0x3a18)],
    ['Job title', item.text(0x3a17)],
    ['Email', item.text(named('62004:8083'))],
    ['Email 2', item.text(named('62004:8093'))],
    ['Email 3', item.text(named('62004:80a3'))],
    ['Business phone', item.text(0x3a08)],
    ['Home phone', item.text(0x3a09)],
    ['Mobile phone', item.text(0x3a1c)],
    ['Business fax', item.text(0x3a24)],
    ['Business address', item.text(named('62004:801b'))],
    ['Home address', item.text(named('62004:801a'))],
    ['Web page', item.text(named('62004:802b')) ?? item.text(0x3a51)],
  ])
