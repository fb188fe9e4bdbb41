import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import type { XrplAccount } from "../situation.ts";
import { drops, uint32Field } from "./fields.ts";
import { askRippled, type Rippled } from "./json-rpc.ts";

/** Flags of an account (XRP Ledger docs, "AccountRoot flags"). */
const REQUIRE_DESTINATION_TAG = 0x0002_0000;
const DISABLE_MASTER = 0x0010_0000;
const DISALLOW_XRP = 0x0008_0000;
const DEPOSIT_AUTH = 0x0100_0000;

const infoSchema = z.object({
  account_data: z.object({
    Balance: drops,
    Sequence: uint32Field,
    OwnerCount: uint32Field,
    Flags: uint32Field,
    RegularKey: z.string().optional(),
    /** fields of a pseudo-account that name its owner (rippled, ledger_entries.macro: AccountRoot) */
    AMMID: z.string().optional(),
    VaultID: z.string().optional(),
    LoanBrokerID: z.string().optional(),
  }),
  /** absent if they were not requested, or the server does not give them */
  signer_lists: z.array(z.unknown()).optional(),
  /** tickets wait in the queue too, and have no sequence */
  queue_data: z
    .object({ transactions: z.array(z.object({ seq: uint32Field.optional() })).optional() })
    .optional(),
  ledger_index: uint32Field.optional(),
  validated: z.boolean().optional(),
});
type Info = z.infer<typeof infoSchema>;

const infoOf = (rippled: Rippled, address: string, of: object): Promise<Result<Info | undefined>> =>
  askRippled(rippled, {
    method: "account_info",
    params: { account: address, ...of },
    schema: infoSchema,
    absent: "actNotFound",
  });

const accountIn = ({ account_data: { Balance, OwnerCount, Flags } }: Info): XrplAccount => ({
  balance: Balance,
  objects: OwnerCount,
  requiresTag: (Flags & REQUIRE_DESTINATION_TAG) !== 0,
  requiresAuthorisation: (Flags & DEPOSIT_AUTH) !== 0,
  isMasterDisabled: (Flags & DISABLE_MASTER) !== 0,
});

/** The next free sequence number: after those in the open ledger, and after those in the queue that follow without a gap. */
const nextPlace = ({ account_data: { Sequence }, queue_data }: Info): bigint => {
  const queued = new Set(queue_data?.transactions?.map(({ seq }) => seq));
  let next = Sequence;
  while (queued.has(next)) next += 1;
  return BigInt(next);
};

/** An account in the open ledger, with its pending transactions; undefined if it does not exist. */
export const currentAccount = async (
  rippled: Rippled,
  address: string,
): Promise<Result<(XrplAccount & { readonly next: bigint }) | undefined>> => {
  const found = await infoOf(rippled, address, { ledger_index: "current", queue: true });
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  return ok({ ...accountIn(found.value), next: nextPlace(found.value) });
};

/** The state of an account in a validated ledger. */
export interface ValidatedAccount {
  readonly ledger: number;
  /** drops */
  readonly balance: bigint;
  /** the sequence number of the first transaction that has not landed */
  readonly sequence: number;
}

/** An account in the last validated ledger, all data from one ledger of one node. */
export const validatedAccount = async (
  rippled: Rippled,
  address: string,
): Promise<Result<ValidatedAccount | undefined>> => {
  const found = await infoOf(rippled, address, { ledger_index: "validated" });
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  const { ledger_index: ledger, validated, account_data: data } = found.value;
  return ledger === undefined || validated !== true
    ? nodeAway(rippled.network, "it says nothing of a validated ledger")
    : ok({ ledger, balance: data.Balance, sequence: data.Sequence });
};

/** The flags that decide whether a payment to an account could be used. */
export interface XrplRecipient extends XrplAccount {
  /** its owner asks for no XRP (lsfDisallowXRP) */
  readonly disallowsXrp: boolean;
  readonly regularKey: string | undefined;
  /** an account of the ledger itself, for an AMM pool, a vault or a lender: nobody has its key */
  readonly isPseudo: boolean;
  /** whether several keys may sign for it together; undefined if the server does not say */
  readonly hasSigners: boolean | undefined;
}

/** An account as a recipient, in the last validated ledger; undefined if it does not exist. */
export const recipientAccount = async (
  rippled: Rippled,
  address: string,
): Promise<Result<XrplRecipient | undefined>> => {
  const found = await infoOf(rippled, address, { ledger_index: "validated", signer_lists: true });
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  const { account_data: data, signer_lists: lists } = found.value;
  return ok({
    ...accountIn(found.value),
    disallowsXrp: (data.Flags & DISALLOW_XRP) !== 0,
    regularKey: data.RegularKey,
    isPseudo: [data.AMMID, data.VaultID, data.LoanBrokerID].some((id) => id !== undefined),
    hasSigners: lists === undefined ? undefined : lists.length > 0,
  });
};

const authorisedSchema = z.object({ deposit_authorized: z.boolean() });

/** Whether an account accepts payments of another one. If the node does not know the request, the chain decides. */
export const isDepositAuthorised = async (
  rippled: Rippled,
  source: string,
  destination: string,
): Promise<Result<boolean>> => {
  const found = await askRippled(rippled, {
    method: "deposit_authorized",
    params: { source_account: source, destination_account: destination, ledger_index: "validated" },
    schema: authorisedSchema,
    absent: "unknownCmd",
  });
  return found.ok ? ok(found.value?.deposit_authorized ?? true) : found;
};
