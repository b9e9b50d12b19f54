import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import '../design/tokens.css'
import '../design/base.css'
import '../design/controls.css'
import '../design/layout.css'
import './reference.css'
import { nameControls } from './name-controls.ts'

const root = document.documentElement
const system = matchMedia('(prefers-color-scheme: dark)')

/** The viewer knows its dark colours by a class; the rest of the site by the chosen theme, else the system's. */
const followTheme = (): void => {
  const theme = root.dataset.theme ?? (system.matches ? 'dark' : 'light')
  root.classList.toggle('dark-mode', theme === 'dark')
}
followTheme()
system.addEventListener('change', followTheme)
// Another tab of the site may change it.
addEventListener('storage', ({ key, newValue }) => {
  if (key !== 'quarry.theme' || (newValue !== 'light' && newValue !== 'dark')) return
  root.dataset.theme = newValue
  followTheme()
})

// The viewer puts links into buttons, which neither a keyboard nor a screen reader can tell apart.
const DeepLink = ({ text }: { text: string }) => text

const domNode = document.getElementById('reference')
if (!domNode) throw new Error('the page has no place for the reference')
nameControls(domNode)
SwaggerUI({
  domNode,
  url: '/web/openapi.json',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  // A key that is typed here lives as long as the page.
  persistAuthorization: false,
  validatorUrl: null,
  // Its colours for code are too faint in both themes.
  syntaxHighlight: false,
  plugins: [() => ({ components: { DeepLink } })],
  // Tried out is the API, which takes a key: never the session of whoever is signed in.
  requestInterceptor: (request) => ({ ...request, credentials: 'omit' }),
  onComplete: () => domNode.setAttribute('data-ready', 'true'),
})
