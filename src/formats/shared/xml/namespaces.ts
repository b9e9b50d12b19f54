import type { Attributes } from './events.ts'

/** Canonical prefixes by namespace. Several namespaces may share one: the strict and the transitional form of a format. */
export type Prefixes = ReadonlyMap<string, string>

type Scope = {
  depth: number
  /** Declared prefix → canonical prefix with its colon, or nothing for a namespace that keeps the declared one. */
  prefixes: ReadonlyMap<string, string>
  /** Every prefix is written as we call it, as in nearly all files: names need no look. */
  isCanonical: boolean
  names: Map<string, string>
}

/** Keeps track of the declarations in force and gives names their canonical prefix. */
export const createScopes = (known: Prefixes) => {
  const reserved = new Set(known.values())
  const outermost: Scope = { depth: 0, prefixes: new Map(), isCanonical: true, names: new Map() }
  const scopes: Scope[] = [outermost]
  let scope = outermost

  const declare = (attributes: Attributes, depth: number): void => {
    const prefixes = new Map(scope.prefixes)
    let isCanonical = scope.isCanonical
    for (const [name, uri = ''] of Object.entries(attributes)) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
      const declared = name.slice(6)
      const canonical = known.get(uri)
      // A foreign namespace under one of our prefixes must not pass for ours.
      const becomes = canonical
        ? `${canonical}:`
        : reserved.has(declared)
          ? `?${declared}:`
          : declared && `${declared}:`
      prefixes.set(declared, becomes)
      if (becomes !== (declared && `${declared}:`)) isCanonical = false
    }
    scope = { depth, prefixes, isCanonical, names: new Map() }
    scopes.push(scope)
  }

  const rename = (name: string): string => {
    const colon = name.indexOf(':')
    const prefix = scope.prefixes.get(colon < 0 ? '' : name.slice(0, colon))
    return prefix === undefined ? name : prefix + name.slice(colon + 1)
  }

  return {
    /** Takes in the declarations of an element before its own name is looked at. */
    declare,
    leave(depth: number): void {
      if (scope.depth !== depth || depth === 0) return
      scopes.pop()
      scope = scopes.at(-1) ?? outermost
    },
    elementName(name: string): string {
      if (scope.isCanonical) return name
      const seen = scope.names.get(name)
      if (seen !== undefined) return seen
      const renamed = rename(name)
      scope.names.set(name, renamed)
      return renamed
    },
    attributes(attributes: Attributes): Attributes {
      if (scope.isCanonical) return attributes
      const renamed: Record<string, string | undefined> = Object.create(null)
      // An attribute without a prefix has no namespace, whatever the default one is.
      for (const name in attributes) renamed[name.includes(':') ? rename(name) : name] = attributes[name]
      return renamed
    },
  }
}
