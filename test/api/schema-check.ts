/** As much of JSON Schema 2020-12 as the OpenAPI document uses. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  minimum?: number
  maximum?: number
  [other: string]: unknown
}

const KNOWN = [
  ...['$ref', 'type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf'],
  // These judge numbers and strings only loosely, or are for people.
  ...['minimum', 'maximum', 'propertyNames', 'description', 'default', 'format', 'exclusiveMinimum', 'readOnly'],
]

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value

/** Where a value does not fit its schema. A keyword this checker does not know is a problem too. */
export const findProblems = (schema: Schema, value: unknown, root: unknown, at = '$'): string[] => {
  if (schema.$ref) return findProblems(resolveRef(schema.$ref, root), value, root, at)
  const problems: string[] = []
  const say = (problem: string) => problems.push(`${at} ${problem}`)
  for (const keyword of Object.keys(schema)) if (!KNOWN.includes(keyword)) say(`has unknown keyword ${keyword}`)
  const type = typeOf(value)
  const allowed = schema.type === undefined ? [] : [schema.type].flat()
  if (allowed.length > 0 && !allowed.includes(type) && !(type === 'integer' && allowed.includes('number'))) {
    say(`is ${type}, not ${allowed.join(' or ')}`)
  }
  if (schema.enum && !schema.enum.includes(value)) say(`is not one of ${schema.enum.join(', ')}`)
  if ('const' in schema && schema.const !== value) say(`is not ${String(schema.const)}`)
  if (schema.anyOf && !schema.anyOf.some((one) => findProblems(one, value, root).length === 0))
    say('fits no alternative')
  if (typeof value === 'number' && schema.minimum !== undefined && value < schema.minimum) say('is too small')
  if (typeof value === 'number' && schema.maximum !== undefined && value > schema.maximum) say('is too great')
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries())
      problems.push(...findProblems(schema.items ?? {}, item, root, `${at}[${i}]`))
  } else if (type === 'object') {
    const object = value as Record<string, unknown>
    for (const name of schema.required ?? []) if (!Object.hasOwn(object, name)) say(`lacks ${name}`)
    for (const [name, item] of Object.entries(object)) {
      const known = schema.properties?.[name]
      if (known) problems.push(...findProblems(known, item, root, `${at}.${name}`))
      else if (schema.additionalProperties === false) say(`has ${name}, which is not described`)
      else if (typeof schema.additionalProperties === 'object')
        problems.push(...findProblems(schema.additionalProperties, item, root, `${at}.${name}`))
    }
  }
  return problems
}

const resolveRef = (ref: string, root: unknown): Schema =>
  ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], root) as Schema
