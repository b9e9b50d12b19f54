/** The part of the viewer that we use; the package brings no types of its own. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  type Plugin = () => { components?: Record<string, import('react').ComponentType<never>> }
  type Settings = {
    domNode: HTMLElement
    url: string
    deepLinking: boolean
    docExpansion: 'list' | 'full' | 'none'
    defaultModelsExpandDepth: number
    persistAuthorization: boolean
    validatorUrl: null
    syntaxHighlight: false
    plugins: Plugin[]
    requestInterceptor: (request: RequestInit & { url: string }) => RequestInit & { url: string }
    onComplete: () => void
  }
  const SwaggerUI: (settings: Settings) => unknown
  export default SwaggerUI
}
