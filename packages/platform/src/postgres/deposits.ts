import {
  type Deposit,
  depositIdOf,
  depositIdSchema,
  movedSchema,
  type Network,
  networkSchema,
  organisationIdSchema,
  transferAssetSchema,
  walletIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { addressWatches } from "./address-watches/address-watches.ts";
import { bigNumber, date, optional } from "./columns.ts";
import type { Connection } from "./database.ts";
import { wallets } from "./keys/wallets.ts";
import { plainTable } from "./table/table.ts";

const { columns: w } = wallets;
const { columns: a } = addressWatches;

export const deposits = plainTable("deposits", {
  id: depositIdSchema,
  orgId: organisationIdSchema,
  walletId: walletIdSchema,
  network: networkSchema,
  txHash: z.string(),
  /** identifies the movement within its transaction */
  place: z.string(),
  sender: optional(z.string()),
  moved: movedSchema,
  asset: transferAssetSchema,
  blockNumber: bigNumber,
  dateDetected: date,
  dateStored: date,
});

/**
 * The fungible token of a movement, from `body`, the column of its transfer's body: contracts of EVM in lower case, those
 * of TRON unchanged, ids of assets and of TRC-10 tokens, code and issuer for Stellar, and kind and mint for Solana.
 */
export const movedToken = {
  text: `coalesce(
         case body ->> 'kind' when 'Erc20' then lower(body ->> 'contract') else body ->> 'contract' end,
         body ->> 'assetId',
         body ->> 'tokenId',
         (body ->> 'assetCode') || ':' || (body ->> 'issuer'),
         (body ->> 'kind') || ':' || (body ->> 'mint')
       )`,
  isFungible: "body ->> 'kind' in ('Erc20', 'Asa', 'Sep41', 'Spl', 'Spl2022', 'Trc10', 'Trc20')",
  row: z.object({ token: z.string() }).transform(({ token }) => token),
} as const;

/**
 * Wallets that can be paid. A wallet whose key is archived can: nobody signs for it any more, but its owner wants to
 * see what arrived.
 */
const CAN_BE_PAID = "w.status in ('Active', 'Archived') and w.address is not null";

/** Whether an active watch follows an address. */
const IS_WATCHING = "a.status = 'Active'";

/**
 * Those of the networks on which any wallet can be paid, or an address is watched. Two index lookups for each network,
 * whatever the number of wallets.
 */
export const followedNetworks = async (
  connection: Connection,
  networks: readonly Network[],
): Promise<readonly Network[]> => {
  const found = await connection.rows(
    z.object({ network: networkSchema }),
    `select network from unnest($1::text[]) as asked (network)
     where exists (select from wallets w where w.network = asked.network and ${CAN_BE_PAID})
       or exists (select from address_watches a where a.network = asked.network and ${IS_WATCHING})`,
    [networks],
  );
  return found.map(({ network }) => network);
};

/**
 * When the oldest wallet of the network that can be paid was created, or its oldest watch activated, if that is earlier,
 * ISO 8601; undefined if there is neither.
 */
export const followedSince = async (
  connection: Connection,
  network: Network,
): Promise<string | undefined> => {
  const [found] = await connection.rows(
    z.object({ oldest: z.date().nullable() }),
    `select min(date) as oldest from (
       select min(w.${w.dateCreated}) as date from wallets w where w.network = $1 and ${CAN_BE_PAID}
       union all
       select min(a.${a.dateActivated}) from address_watches a where a.network = $1 and ${IS_WATCHING}
     ) oldest`,
    [network],
  );
  return found?.oldest?.toISOString();
};

const payee = z.object({ walletId: walletIdSchema, orgId: organisationIdSchema, address: z.string() });
/** A wallet that was paid. */
export type Payee = Readonly<z.output<typeof payee>>;

/**
 * The wallets of a network that have one of these addresses, in the family's spelling. If a key was archived and
 * imported again, an organisation has several wallets at one address; only the active one is returned, otherwise the
 * newest archived one. A wallet whose id or organisation cannot be read is left out and reported, so that it does not
 * block the deposits of other wallets.
 */
export const walletsAt = (
  connection: Connection,
  network: Network,
  addresses: readonly string[],
): Promise<readonly Payee[]> =>
  connection.listed(
    payee,
    `select w.id as "walletId", w.${w.orgId} as "orgId", w.address from wallets w
     where w.network = $1 and w.address = any($2::text[]) and ${CAN_BE_PAID}
       and (w.status = 'Active' or not exists (
         select from wallets other where other.network = w.network and other.address = w.address and other.${w.orgId} = w.${w.orgId}
           and (other.status = 'Active'
             or other.status = 'Archived' and (other.${w.dateCreated}, other.id) > (w.${w.dateCreated}, w.id))))
     order by w.id`,
    [network, addresses],
  );

const markSchema = z.object({
  height: z
    .string()
    .regex(/^[0-9]{1,20}$/)
    .transform(BigInt),
  hash: z.string(),
});
/** A block that was read, with the hash that the node showed. */
export type ReadMark = z.output<typeof markSchema>;

/** How far the blocks of a network are read. */
export interface ReadPlace {
  /** height of the last block that counts as read */
  readonly height: bigint;
  /** blocks that were read up to that height, the newest first */
  readonly marks: readonly ReadMark[];
}

const placeSchema = z
  .object({ height: bigNumber, hash: z.string().nullable(), marks: z.array(markSchema) })
  .transform(({ height, hash, marks }): ReadPlace => {
    // an orchestrator of the previous version stores only the hash
    const last = hash === null ? [] : [{ height, hash }];
    return { height, marks: [...last, ...marks.filter((mark) => mark.height < height)] };
  });

/** How far a network's blocks are read; undefined before the first one. */
export const lastReadBlock = async (
  connection: Connection,
  network: Network,
): Promise<ReadPlace | undefined> => {
  const query = "select height, hash, marks from read_blocks where network = $1";
  const [last] = await connection.rows(placeSchema, query, [network]);
  return last;
};

/** The column values of a place. */
const columnsOf = ({ height, marks }: ReadPlace): readonly [bigint, string | null, string] => {
  const [last] = marks;
  const written = marks.map((mark) => ({ height: mark.height.toString(), hash: mark.hash }));
  return [height, last?.height === height ? last.hash : null, JSON.stringify(written)];
};

/** Records where reading begins, unless a place is recorded already. */
export const beginReading = async (
  connection: Connection,
  network: Network,
  place: ReadPlace,
): Promise<void> => {
  await connection.execute(
    "insert into read_blocks (network, height, hash, marks) values ($1, $2, $3, $4::jsonb) on conflict (network) do nothing",
    [network, ...columnsOf(place)],
  );
};

/**
 * Records that further blocks were read. Call it in the transaction that stores their deposits, before storing them.
 *
 * @param from the recorded place
 * @returns false, and changes nothing, if another reader has moved on meanwhile, or got to this height on another
 * branch: then store no deposits
 */
export const moveReadingOn = async (
  connection: Connection,
  network: Network,
  from: ReadPlace,
  to: ReadPlace,
): Promise<boolean> => {
  const [height, hash] = columnsOf(from);
  return (
    (await connection.execute(
      `update read_blocks set height = $4, hash = $5, marks = $6::jsonb
       where network = $1 and height = $2 and hash is not distinct from $3`,
      [network, height, hash, ...columnsOf(to)],
    )) === 1
  );
};

const DEPOSIT_COLUMNS =
  "deposit (id text, org_id text, wallet_id text, network text, tx_hash text, place text, sender text, moved jsonb, asset jsonb, block_number bigint, date_detected timestamptz)";

/** Stores deposits in one statement. @returns those that were new, in their order */
export const insertDeposits = async <Given extends Omit<Deposit, "id">>(
  connection: Connection,
  given: readonly Given[],
): Promise<readonly Given[]> => {
  // a node may report the same movement twice
  const distinct = new Map(given.map((deposit) => [depositIdOf(deposit), deposit]));
  if (distinct.size === 0) return [];
  const rows = [...distinct].map(([id, deposit]) => ({
    id,
    org_id: deposit.orgId,
    wallet_id: deposit.walletId,
    network: deposit.network,
    tx_hash: deposit.txHash,
    place: deposit.place,
    sender: deposit.from,
    moved: deposit.moved,
    asset: deposit.asset,
    block_number: deposit.blockNumber.toString(),
    date_detected: deposit.date,
  }));
  const stored = await connection.rows(
    z.object({ id: depositIdSchema }),
    `insert into deposits (id, org_id, wallet_id, network, tx_hash, place, sender, moved, asset, block_number, date_detected)
     select * from jsonb_to_recordset($1::jsonb) as ${DEPOSIT_COLUMNS} on conflict do nothing returning id`,
    [JSON.stringify(rows)],
  );
  const ids = new Set(stored.map(({ id }) => id));
  return [...distinct].flatMap(([id, deposit]) => (ids.has(id) ? [deposit] : []));
};
