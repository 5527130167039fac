import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { stacks } from './environments.ts'

test('package.json has deploy and dry-run scripts for every stack except the canary, and no others', async () => {
  const file = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(file)
  const found = Object.entries(scripts).filter(([name]) => /^(deploy|dry-run)\b/.test(name))
  const deployed = stacks.filter((stack) => stack !== 'site-stage-mk2')
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(
      deployed.flatMap((stack) => [
        [`deploy:${stack}`, `pulumi up --stack ${stack}`],
        [`dry-run:${stack}`, `pulumi preview --stack ${stack}`],
      ]),
    ),
  )
})
