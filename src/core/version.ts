import facts from '../../package.json' with { type: 'json' }

/** The version of the service, in the schema, the manifest and the OpenAPI document. */
export const VERSION: string = facts.version
