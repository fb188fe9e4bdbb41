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
    /** of a pseudo-account: what it belongs to (rippled, ledger_entries.macro: AccountRoot) */
    AMMID: z.string().optional(),
    VaultID: z.string().optional(),
    LoanBrokerID: z.string().optional(),
  }),
  /** absent where the server was not asked for them, or does not tell */
  signer_lists: z.array(z.unknown()).optional(),
  /** tickets wait in the queue as well: they have no sequence */
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

/** The place behind those that are in the open ledger, and behind those in the queue that follow on these. */
const nextPlace = ({ account_data: { Sequence }, queue_data }: Info): bigint => {
  const queued = new Set(queue_data?.transactions?.map(({ seq }) => seq));
  let next = Sequence;
  while (queued.has(next)) next += 1;
  return BigInt(next);
};

/** An account as the open ledger has it, with what is on its way; undefined when nobody has paid to it. */
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
  /** the place of the first transaction that has not landed */
  readonly sequence: number;
}

/** An account as the last validated ledger has it, all of one ledger of one node. */
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

/** The flags that decide whether anybody could use a payment to an account. */
export interface XrplRecipient extends XrplAccount {
  /** its owner asks for no XRP (lsfDisallowXRP) */
  readonly disallowsXrp: boolean;
  readonly regularKey: string | undefined;
  /** the ledger's own account, of a pool of an exchange, a vault or a lender: nobody has its key */
  readonly isPseudo: boolean;
  /** whether several keys may sign for it together; undefined when the server does not tell */
  readonly hasSigners: boolean | undefined;
}

/** An account as a recipient, as the last validated ledger has it; undefined when nobody has paid to it. */
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

/** Whether an account takes payments of another one; a node that does not know the question leaves it to the chain. */
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
