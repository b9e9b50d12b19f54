import { createNameFilter } from './glob.ts'

/** Whether a name is chosen by the options `include` and `exclude`. */
export const chooseNames = ({
  include,
  exclude,
}: {
  include: string
  exclude: string
}): ((name: string) => boolean) => {
  const isIncluded = include.trim() === '' ? () => true : createNameFilter(include)
  const isExcluded = createNameFilter(exclude)
  return (name) => isIncluded(name) && !isExcluded(name)
}
