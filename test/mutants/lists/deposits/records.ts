import type { EditedFile } from "../../edit.ts";

const DEPOSITS = "packages/orchestrator/src/deposits";
const announcedOnce = `${DEPOSITS}/announced-once.test.ts`;
const archived = `${DEPOSITS}/archived-wallets.test.ts`;
const watches = `${DEPOSITS}/watched-movements.test.ts`;

/** A movement has the same name whenever it is read, is reported once, and with all that came with it. */
export const DEPOSIT_RECORD_EDITS: readonly EditedFile[] = [
  {
    path: "packages/custody/src/wallet/deposit.ts",
    tests: [announcedOnce],
    edits: [
      {
        weakens: "the event of a deposit has the same id whenever it is told",
        find: 'id: idFrom(eventIdSchema, "evt", [id, DETECTED]),',
        put: "",
      },
      {
        weakens: "the id of a deposit names where in its transaction it stands",
        find: "[walletId, network, txHash, place]",
        put: "[walletId, network, txHash]",
      },
    ],
  },
  {
    path: "packages/custody/src/address-watch/watched-movement.ts",
    tests: [watches],
    edits: [
      {
        weakens: "the id of a movement at a watched address names its direction",
        find: "[addressWatchId, network, txHash, place, direction])",
        put: "[addressWatchId, network, txHash, place])",
      },
    ],
  },
  {
    path: "packages/platform/src/postgres/address-watches/address-watches.ts",
    tests: [watches],
    edits: [
      {
        weakens: "a deleted watch records nothing",
        find: "and a.address = any($2::text[]) and a.status = 'Active'",
        put: "and a.address = any($2::text[])",
      },
    ],
  },
  {
    path: "packages/custody/src/identifiers.ts",
    tests: ["packages/custody/src/identifiers.test.ts"],
    edits: [
      {
        weakens: "an id that follows from values names its kind",
        find: "JSON.stringify([prefix, ...values])",
        put: "JSON.stringify(values)",
      },
    ],
  },
  {
    path: "packages/platform/src/postgres/events.ts",
    tests: [announcedOnce],
    edits: [
      {
        weakens: "an event that is on record is not told again",
        find: "where not exists (select from events known where known.id = event.id)",
        put: "",
      },
    ],
  },
  {
    path: "packages/platform/src/postgres/deposits.ts",
    tests: [announcedOnce],
    edits: [
      {
        weakens: "a deposit that is known is stored no second time",
        find: "on conflict do nothing returning id",
        put: "returning id",
      },
      {
        weakens: "a wallet whose key is archived can be paid",
        find: "w.status in ('Active', 'Archived') and w.address",
        put: "w.status = 'Active' and w.address",
        tests: [archived],
      },
      {
        weakens: "a wallet whose key was imported again is not paid beside the new one",
        find: "and (w.status = 'Active' or not exists (",
        put: "and (w.status <> '' or not exists (",
        tests: [archived],
      },
      {
        weakens: "of several archived wallets at an address the newest is paid",
        find: "(other.${w.dateCreated}, other.id) > (w.${w.dateCreated}, w.id)",
        put: "false",
        tests: [archived],
      },
      {
        weakens: "reading moves on from the very block at which it stood",
        find: "and height = $2 and hash is not distinct from $3",
        put: "and height = $2 and (hash is not distinct from $3 or true)",
        tests: [`${DEPOSITS}/rewritten-chain.test.ts`],
      },
    ],
  },
  {
    path: "packages/custody/src/wallet/history.ts",
    tests: [announcedOnce],
    edits: [
      {
        weakens: "equal movements of a transaction are told apart",
        find: "...(entry.place === undefined ? {} : { index: entry.place }),",
        put: "",
      },
      {
        weakens: "a deposit is told with its destination tag",
        find: '"memo" in body && body.memo !== undefined ? { memo: body.memo } : {}',
        put: "{}",
      },
    ],
  },
  {
    path: "packages/chains/src/xrpl/node/arrivals.ts",
    tests: ["packages/chains/src/xrpl/node/arrivals.test.ts"],
    edits: [
      {
        weakens: "a tag comes with what a promise paid out",
        find: "sent.DestinationTag : promisedTag(meta.AffectedNodes, to)",
        put: "sent.DestinationTag : undefined",
      },
      {
        weakens: "a promise's tag is of the account that it pays",
        find: '"Destination" in entry.FinalFields && entry.FinalFields.Destination === to',
        put: '"Destination" in entry.FinalFields',
      },
      {
        weakens: "entries that hold no XRP name no tag",
        find: "entry?.FinalFields === undefined || !PROMISES.has(entry.LedgerEntryType)",
        put: "entry?.FinalFields === undefined",
      },
    ],
  },
  {
    path: "packages/custody/src/wallet/claimed-movements.ts",
    tests: [`${DEPOSITS}/claimed-movements.test.ts`],
    edits: [
      {
        weakens: "events tell of a bounded number of movements that a contract claims",
        find: "return nth < ANNOUNCED_OF_A_CONTRACT;",
        put: "return nth >= 0;",
      },
      {
        weakens: "the network's coin is always told",
        find: 'if (!("contract" in moved)) return true;',
        put: "",
      },
      {
        weakens: "each contract is counted by itself",
        find: "`${at} ${moved.contract}`",
        put: "at",
      },
    ],
  },
  {
    path: `${DEPOSITS}/store-arrivals.ts`,
    tests: [`${DEPOSITS}/claimed-movements.test.ts`],
    edits: [
      {
        weakens: "deposits that no event tells of are counted",
        find: "if (unannounced > 0) counted.depositsUnannounced(",
        put: "if (unannounced < 0) counted.depositsUnannounced(",
      },
    ],
  },
];
