import { describe, expect, it } from 'vitest'
import { resolvePath } from './paths.ts'

describe('resolvePath', () => {
  it.each([
    ['b.xhtml', 'text/a.xhtml', 'text/b.xhtml', ''],
    ['../img/x%20y.png', 'text/a.xhtml', 'img/x y.png', ''],
    ['#n%31', 'text/a.xhtml', 'text/a.xhtml', 'n1'],
    ['b.xhtml?x=1#n', 'a.xhtml', 'b.xhtml', 'n'],
    ['/b.xhtml', 'text/a.xhtml', 'b.xhtml', ''],
    ['..\\b.xhtml', 'text/a.xhtml', 'b.xhtml', ''],
    ['../../../../etc/passwd', 'text/a.xhtml', 'etc/passwd', ''],
    ['100%.xhtml', 'a.xhtml', '100%.xhtml', ''],
  ])('%s from %s', (href, from, path, fragment) => {
    expect(resolvePath(href, from)).toEqual({ path, fragment })
  })

  it('leaves addresses outside alone', () => {
    for (const href of ['https://example.org/', 'mailto:a@b.c', '//example.org/x', 'kindle:embed:0001']) {
      expect(resolvePath(href, 'a.xhtml')).toBeUndefined()
    }
  })
})
