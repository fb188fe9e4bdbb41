import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import type { AgaveBlock, AgaveLanded } from "../block.ts";
import { agaveBlocks, agaveBlocksBack } from "../block-chain.ts";
import { agaveMemosOf } from "../memo.ts";
import {
  type AgaveState,
  agaveBlockAt,
  agaveCommitmentOf,
  agaveLandedAs,
  latestAgaveBlock,
} from "../state.ts";
import { agaveErrorJson } from "../transaction-error.ts";
import { agaveSignatureOf } from "../wire/transaction.ts";
import {
  type AgaveAnswer,
  type AgaveMethod,
  addressParameter,
  agaveMethod,
  agaveRefused,
  agaveResult,
  atAgaveContext,
  commitmentParameter,
  contextShape,
  inAgaveContext,
  signatureParameter,
} from "./method.ts";
import { landedJson, transactionEncodingParameter, versionRefusal } from "./transaction-json.ts";

const MOST_SIGNATURES = 256;
const MOST_LISTED = 1_000;
/**
 * How many latest blocks a node keeps in its status cache; older statuses need a search of its history. @source Agave,
 * runtime: MAX_RECENT_BLOCKHASHES
 */
const STATUS_BLOCKS = 300;

const NOT_PROCESSED = "Method does not support commitment below `confirmed`";

/** The commitment of methods that read history: confirmed or finalized. */
export const historyCommitmentParameter = commitmentParameter.refine(
  (commitment) => commitment !== "processed",
  NOT_PROCESSED,
);

/** Options, or in an older form only the encoding. */
const transactionOptions = z.preprocess(
  (given) => (typeof given === "string" ? { encoding: given } : given),
  z
    .looseObject({
      encoding: transactionEncodingParameter,
      commitment: historyCommitmentParameter,
      maxSupportedTransactionVersion: z.int().min(0).max(255).optional(),
    })
    .prefault({}),
);

interface Found {
  readonly block: AgaveBlock;
  readonly landed: AgaveLanded;
}

const statusJson = (state: AgaveState, { block, landed }: Found): LedgerJson => {
  const confirmationStatus = agaveCommitmentOf(state, block);
  const err = agaveErrorJson(landed.error);
  return {
    slot: block.slot,
    confirmations: confirmationStatus === "finalized" ? null : latestAgaveBlock(state).height - block.height,
    err,
    status: landed.error === undefined ? { Ok: null } : { Err: err },
    confirmationStatus,
  };
};

/** Transactions that name an address, latest first. */
function* namingAddress({ chain }: AgaveState, address: string, latest: AgaveBlock): Generator<Found> {
  for (const block of agaveBlocksBack(chain)) {
    if (block.height > latest.height) continue;
    for (const landed of block.transactions.toReversed()) {
      if (landed.transaction.message.keys.some((key) => key === address)) yield { block, landed };
    }
  }
}

interface Listing {
  readonly before?: string | undefined;
  readonly until?: string | undefined;
  readonly limit: number;
}

/**
 * The signatures strictly between two others. @source Agave, ledger/src/blockstore.rs:
 * get_confirmed_signatures_for_address2
 */
const listed = (
  state: AgaveState,
  address: string,
  latest: AgaveBlock,
  { before, until, limit }: Listing,
): readonly Found[] => {
  const ends = agaveLandedAs(state, new Set([before, until].filter((end) => end !== undefined)));
  const place = (signature: string | undefined): readonly [number, number] | undefined => {
    const found = signature === undefined ? undefined : ends.get(signature);
    return found && [found.block.height, found.block.transactions.indexOf(found.landed)];
  };
  const isBefore = ([height, at]: readonly [number, number], end: readonly [number, number]): boolean =>
    height < end[0] || (height === end[0] && at < end[1]);
  const [first, last] = [place(before), place(until)];
  // a node that does not know the start returns an empty list
  if (before !== undefined && first === undefined) return [];
  const found: Found[] = [];
  for (const each of namingAddress(state, address, latest)) {
    const at = [each.block.height, each.block.transactions.indexOf(each.landed)] as const;
    if (last !== undefined && !isBefore(last, at)) break;
    if (first !== undefined && !isBefore(at, first)) continue;
    if (found.push(each) >= limit) break;
  }
  return found;
};

const signaturesJson = (state: AgaveState, found: readonly Found[]): AgaveAnswer =>
  agaveResult(
    found.map(({ block, landed }) => ({
      signature: agaveSignatureOf(landed.transaction),
      slot: block.slot,
      err: agaveErrorJson(landed.error),
      memo: agaveMemosOf(landed.transaction.message) ?? null,
      blockTime: block.time,
      confirmationStatus: agaveCommitmentOf(state, block),
    })),
  );

/** @source Solana documentation, RPC: HTTP methods */
export const AGAVE_TRANSACTION_METHODS: Readonly<Record<string, AgaveMethod>> = {
  getTransaction: agaveMethod(
    { signature: signatureParameter, options: transactionOptions },
    ({ state }, { signature, options }) => {
      const found = agaveLandedAs(state, new Set([signature])).get(signature);
      const isSure =
        found !== undefined && found.block.height <= agaveBlockAt(state, options.commitment).height;
      if (!isSure) return agaveResult(null);
      const refusal = versionRefusal(found.landed, options);
      if (refusal !== undefined) return agaveRefused(refusal.code, refusal.message);
      const { slot, time } = found.block;
      return agaveResult({ slot, blockTime: time, ...landedJson(found.landed, options) });
    },
  ),
  getSignatureStatuses: agaveMethod(
    {
      signatures: z
        .array(signatureParameter)
        .max(MOST_SIGNATURES, `Too many inputs provided; max ${MOST_SIGNATURES}`),
      options: z.looseObject({ searchTransactionHistory: z.boolean().default(false) }).prefault({}),
    },
    ({ state }, { signatures, options }) => {
      const found = agaveLandedAs(state, new Set(signatures));
      const latest = latestAgaveBlock(state);
      const oldest = options.searchTransactionHistory ? 0 : latest.height - STATUS_BLOCKS;
      return inAgaveContext(
        latest,
        signatures.map((signature) => {
          const each = found.get(signature);
          return each === undefined || each.block.height < oldest ? null : statusJson(state, each);
        }),
      );
    },
  ),
  getSignaturesForAddress: agaveMethod(
    {
      address: addressParameter,
      options: z
        .looseObject({
          ...contextShape,
          commitment: historyCommitmentParameter,
          before: signatureParameter.optional(),
          until: signatureParameter.optional(),
          limit: z.int().min(1).max(MOST_LISTED).default(MOST_LISTED),
        })
        .prefault({}),
    },
    ({ state }, { address, options }) =>
      atAgaveContext(state, options, (latest) =>
        signaturesJson(state, listed(state, address, latest, options)),
      ),
  ),
  getTransactionCount: agaveMethod(
    { options: z.looseObject(contextShape).prefault({}) },
    ({ state }, given) =>
      atAgaveContext(state, given.options, ({ height }) =>
        agaveResult(
          [...agaveBlocks(state.chain)].reduce(
            (sum, block) => sum + (block.height <= height ? block.transactions.length : 0),
            0,
          ),
        ),
      ),
  ),
};
