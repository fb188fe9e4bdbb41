-- A key is a resource of its own: several wallets may sign with it, one on each network. It is "Creating" until all
-- signers have activated their shares; the API shows only "Active" and "Archived" ones.
create table keys (
  id text primary key,
  org_id text not null references organisations (id),
  name text,
  -- what the signers sign with
  scheme text not null check (scheme in ('ECDSA', 'FROST-Ed25519', 'FROST-BIP340', 'FROST-Taproot')),
  status text not null check (status in ('Creating', 'Active', 'Archived', 'Failed')),
  origin text not null check (origin in ('generated', 'imported')),
  imported boolean not null generated always as (origin = 'imported') stored,
  requester jsonb not null,
  -- what the gateway authorised, and its signature: signers check it themselves (INV-3, INV-8)
  authorisation bytea not null,
  authorisation_signature bytea not null,
  public_key text,
  problem jsonb,
  -- whether it may become an end user's later
  is_delegable boolean not null default false,
  -- the end user whose key it is
  delegated_to text,
  -- of its first export
  date_exported timestamptz,
  exported boolean not null generated always as (date_exported is not null) stored,
  date_created timestamptz not null,
  date_deleted timestamptz
);
create index keys_by_organisation on keys (org_id, date_created desc, id desc);
create index keys_by_date on keys (date_created desc) where status = 'Active';

insert into keys (id, org_id, scheme, status, origin, requester, authorisation, authorisation_signature, public_key,
    problem, date_created)
  select key_id, org_id, 'ECDSA', status, 'generated', requester, authorisation, authorisation_signature, public_key,
    problem, date_created
  from wallets;

alter table wallets
  drop constraint wallets_key_id_key,
  drop constraint wallets_status_check,
  add constraint wallets_status_check check (status in ('Creating', 'Active', 'Archived', 'Failed')),
  -- looked at when the transaction ends: a wallet whose externalId is taken is not stored, and then neither is its key
  add constraint wallets_key_id_fkey foreign key (key_id) references keys (id) deferrable initially deferred,
  add column date_deleted timestamptz,
  drop column authorisation,
  drop column authorisation_signature,
  drop column public_key;
create unique index wallets_by_key on wallets (key_id, network) where status <> 'Failed';

-- What came to a wallet from others of its organisation is part of its history.
create index transfers_by_receiver on transfers (org_id, network, lower(request_body ->> 'to'))
  where status = 'Confirmed';

-- Keys are asked for by their own id from now on.
delete from outbox where subject = 'conclave.request.wallet' and date_published is null;
insert into outbox (message_id, subject, payload, date_created)
  select 'request/' || id, 'conclave.request.key', jsonb_build_object('keyId', id), now()
  from keys where status = 'Creating';
