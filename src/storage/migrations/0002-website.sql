-- A user with an e-mail address and a password may sign in to the website; others exist only for their keys.
alter table users add column email text, add column password_hash text;
create unique index users_by_email on users (lower(email));

-- Accounts whose users see the operator's pages.
alter table accounts add column is_admin boolean not null default false;
-- Guests of one network share an account and its daily limit. A keyed hash: the address itself is not kept.
alter table accounts add column guest_network bytea unique;

create table sessions (
  id uuid primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  user_agent text not null,
  address text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);

-- Counts what may be tried only so often, over all processes: who is a hash of what is tried and by whom.
create table attempts (
  who bytea primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index attempts_by_end on attempts (resets_at);

-- The day's limit and the usage of an account are read from its holds.
create index ledger_entries_holds on ledger_entries (account_id, created_at) where kind = 'hold';

create index webhook_deliveries_by_account on webhook_deliveries (account_id, id desc);

-- Keys that every process signs with; made by the first that needs one.
create table service_secrets (
  name text primary key,
  value bytea not null
);

-- Who runs jobs now; a worker that has not been seen for a while is gone.
create table workers (
  id uuid primary key,
  host text not null,
  process_id integer not null,
  version text not null,
  pools text[] not null,
  max_jobs integer not null,
  running_jobs integer not null default 0,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- What failed lately, for the operators' overview.
create index jobs_failed on jobs (finished_at) where state = 'failed';
