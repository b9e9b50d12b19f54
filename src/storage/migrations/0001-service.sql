-- Accounts own credits, keys and jobs. On the wire an account's id is the organizationId.
create table accounts (
  id uuid primary key,
  name text not null,
  plan text not null check (plan in ('guest', 'free', 'pro')),
  -- Signs webhooks of jobs that bring no secret of their own.
  webhook_secret text not null,
  created_at timestamptz not null default now()
);

create table users (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  created_at timestamptz not null default now()
);
create index users_by_account on users (account_id);

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  name text not null,
  -- The first characters of the key, so that its owner can tell it from the others.
  hint text not null,
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  allowed_cidr text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_by_account on api_keys (account_id);

-- Append-only. A hold takes credits from `available` into `held`; a capture spends them; a release gives them back.
create table ledger_entries (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts,
  bucket text not null check (bucket in ('plan', 'loyalty', 'wallet')),
  kind text not null check (kind in ('grant', 'hold', 'capture', 'release', 'refund')),
  credits integer not null check (credits > 0),
  -- No foreign key: a job's record may be deleted, what it cost may not.
  job_id uuid,
  note text not null default '',
  created_at timestamptz not null default now(),
  check ((kind = 'grant') = (job_id is null))
);
create index ledger_entries_by_account on ledger_entries (account_id, id);
create unique index ledger_entries_once_per_job on ledger_entries (job_id, bucket, kind) where job_id is not null;
create unique index ledger_entries_one_settlement on ledger_entries (job_id, bucket) where kind in ('capture', 'release');

-- The sum of the entries, kept by the trigger below and written by nothing else: reading it costs the same however
-- long the ledger is, and the checks make an overdraft impossible under any concurrency.
create table balances (
  account_id uuid not null references accounts,
  bucket text not null,
  available bigint not null default 0 check (available >= 0),
  held bigint not null default 0 check (held >= 0),
  primary key (account_id, bucket)
) with (fillfactor = 70);

create function apply_ledger_entry() returns trigger language plpgsql as $$
declare
  wanted text := case new.kind when 'capture' then 'hold' when 'release' then 'hold' when 'refund' then 'capture' end;
begin
  if wanted is not null and not exists (
    select 1 from ledger_entries
    where job_id = new.job_id and bucket = new.bucket and kind = wanted and credits = new.credits
      and account_id = new.account_id
  ) then
    raise exception 'a % of % credits has no % before it', new.kind, new.credits, wanted using errcode = 'check_violation';
  end if;
  -- Two steps: an upsert would check the change alone, as if the balance were empty.
  insert into balances (account_id, bucket) values (new.account_id, new.bucket) on conflict do nothing;
  update balances
    set available = available
          + case when new.kind in ('grant', 'release', 'refund') then new.credits when new.kind = 'hold' then -new.credits else 0 end,
        held = held
          + case when new.kind = 'hold' then new.credits when new.kind in ('capture', 'release') then -new.credits else 0 end
    where account_id = new.account_id and bucket = new.bucket;
  return null;
end $$;
create trigger apply_ledger_entry after insert on ledger_entries for each row execute function apply_ledger_entry();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'restrict_violation';
end $$;
create trigger ledger_is_append_only before update or delete on ledger_entries for each row execute function refuse_change();
create trigger ledger_is_never_emptied before truncate on ledger_entries for each statement execute function refuse_change();

create table jobs (
  id uuid primary key,
  account_id uuid not null references accounts,
  state text not null check (state in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  billing text not null check (billing in ('held', 'charged', 'released', 'refunded')),
  workflow text not null check (workflow in ('extract', 'transcribe')),
  pool text not null,
  family text not null,
  category text not null,
  format text not null,
  file_name text not null,
  source_name text not null,
  source_sha256 text not null,
  metrics json not null,
  plan json not null,
  quoted_credits integer not null check (quoted_credits > 0),
  charged_credits integer not null default 0,
  refunded_credits integer not null default 0,
  -- Place in the pool's queue: start-time fair queueing over accounts, see submit.ts.
  fair_tag integer not null,
  attempt integer not null default 0,
  progress_percent integer not null default 0,
  progress_phase text,
  output json,
  result_key text,
  warnings json not null default '[]',
  transcription json,
  error json,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz,
  purged_at timestamptz,
  -- The states of the job and of its credits can only go together.
  check (
    (state in ('queued', 'running') and billing = 'held')
    or (state in ('failed', 'canceled') and billing = 'released')
    or (state = 'succeeded' and billing in ('charged', 'refunded'))
  )
) with (fillfactor = 80);
create index jobs_by_account on jobs (account_id, id desc);
create index jobs_queued on jobs (pool, fair_tag, id) where state = 'queued';
create index jobs_open on jobs (account_id, state) where state in ('queued', 'running');
create index jobs_to_purge on jobs (expires_at) where result_key is not null;

create table idempotency_keys (
  account_id uuid not null references accounts on delete cascade,
  key text not null,
  fingerprint text not null,
  job_id uuid not null,
  answer json not null,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table webhook_deliveries (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  job_id uuid not null,
  event text not null,
  url text not null,
  secret text not null,
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'given_up')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_status integer,
  last_error text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'pending';
create index webhook_deliveries_by_job on webhook_deliveries (job_id);
