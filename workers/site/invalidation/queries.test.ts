import { createClock } from '../tests/clock.ts'
import { createDatabaseDouble } from '../tests/database.ts'
import { describeLog } from '../tests/log-suite.ts'

describeLog(async () => {
  const { sleep } = createClock()
  return createDatabaseDouble({ now: Date.now, sleep })
})
