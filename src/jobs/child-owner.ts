/** Whom the process belongs to that reads a file: the account, but each job of a guest has one to itself. */
export const childOwner = ({ isGuest, accountId, jobId }: { isGuest: boolean; accountId: string; jobId: string }) =>
  isGuest ? jobId : accountId
