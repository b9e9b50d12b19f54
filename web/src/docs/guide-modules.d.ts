declare module '*.md' {
  const guide: import('../../build/guides.ts').Guide
  export default guide
}
