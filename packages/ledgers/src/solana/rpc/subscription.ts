import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import type { AgaveAccount } from "../account.ts";
import type { AgaveAddress } from "../address.ts";
import type { AgaveBlock } from "../block.ts";
import {
  type AgaveCommitment,
  type AgaveState,
  agaveAccountAt,
  agaveBlockAt,
  agaveLandedAs,
  latestAgaveBlock,
} from "../state.ts";
import { agaveErrorJson } from "../transaction-error.ts";
import { type AgaveAccountEncoding, accountEncodingParameter, agaveAccountJson } from "./account-json.ts";
import { AGAVE_VERSION, addressParameter, commitmentParameter, signatureParameter } from "./method.ts";

/** A client's subscription. */
export type AgaveInterest =
  | { readonly kind: "slot" }
  | { readonly kind: "root" }
  | { readonly kind: "signature"; readonly signature: string; readonly commitment: AgaveCommitment }
  | {
      readonly kind: "account";
      readonly address: AgaveAddress;
      readonly commitment: AgaveCommitment;
      readonly encoding: AgaveAccountEncoding;
    };

/** A notification, and whether it is the last of its subscription. */
export interface AgaveNotice {
  readonly method: string;
  readonly result: LedgerJson;
  readonly isLast: boolean;
}

const options = z
  .looseObject({ commitment: commitmentParameter, encoding: accountEncodingParameter })
  .prefault({});

const SCHEMAS = {
  slotSubscribe: z.tuple([]).transform((): AgaveInterest => ({ kind: "slot" })),
  rootSubscribe: z.tuple([]).transform((): AgaveInterest => ({ kind: "root" })),
  signatureSubscribe: z
    .tuple([signatureParameter, options])
    .transform(
      ([signature, { commitment }]): AgaveInterest => ({ kind: "signature", signature, commitment }),
    ),
  accountSubscribe: z.tuple([addressParameter, options]).transform(
    ([address, { commitment, encoding }]): AgaveInterest => ({
      kind: "account",
      address,
      commitment,
      encoding,
    }),
  ),
} as const;

const isSubscription = (method: string): method is keyof typeof SCHEMAS => Object.hasOwn(SCHEMAS, method);

/** @returns undefined if the method is not a subscription; a message if its parameters are wrong */
export const readAgaveInterest = (
  method: string,
  parameters: readonly unknown[],
): AgaveInterest | string | undefined => {
  if (!isSubscription(method)) return undefined;
  const wantsOptions = method === "signatureSubscribe" || method === "accountSubscribe";
  const given = wantsOptions && parameters.length === 1 ? [...parameters, {}] : parameters;
  const parsed = SCHEMAS[method].safeParse(given);
  return parsed.success ? parsed.data : `Invalid params: ${parsed.error.issues[0]?.message ?? ""}`;
};

const context = (slot: number, value: LedgerJson): LedgerJson => ({
  context: { apiVersion: AGAVE_VERSION, slot },
  value,
});

/** The current account that a subscription watches. */
const accountOfInterest = (state: AgaveState, interest: AgaveInterest): AgaveAccount | undefined =>
  interest.kind === "account"
    ? agaveAccountAt(state, agaveBlockAt(state, interest.commitment), interest.address)
    : undefined;

const accountNotice = (
  before: AgaveState,
  state: AgaveState,
  interest: Extract<AgaveInterest, { readonly kind: "account" }>,
): AgaveNotice | undefined => {
  const account = accountOfInterest(state, interest);
  if (account === accountOfInterest(before, interest)) return undefined;
  const block = agaveBlockAt(state, interest.commitment);
  const accountOf = (address: AgaveAddress) => agaveAccountAt(state, block, address);
  const json = agaveAccountJson(account, { encoding: interest.encoding, dataSlice: undefined, accountOf });
  return { method: "accountNotification", result: context(block.slot, json), isLast: false };
};

/** The notification of a transaction once it has the commitment that the client requires; undefined before. */
export const signatureNotice = (
  state: AgaveState,
  { signature, commitment }: Extract<AgaveInterest, { readonly kind: "signature" }>,
  blocks?: Iterable<AgaveBlock>,
): AgaveNotice | undefined => {
  const found = agaveLandedAs(state, new Set([signature]), blocks).get(signature);
  const block = agaveBlockAt(state, commitment);
  if (found === undefined || found.block.height > block.height) return undefined;
  const value = { err: agaveErrorJson(found.landed.error) };
  return { method: "signatureNotification", result: context(block.slot, value), isLast: true };
};

/** The notification, if any, after a block was made or undone. */
export const noticeOfChange = (
  before: AgaveState,
  state: AgaveState,
  interest: AgaveInterest,
): AgaveNotice | undefined => {
  const root = agaveBlockAt(state, "finalized").slot;
  switch (interest.kind) {
    case "slot": {
      const { slot, parentSlot: parent } = latestAgaveBlock(state);
      const result = { parent, root, slot };
      return { method: "slotNotification", result, isLast: false };
    }
    case "root":
      return root === agaveBlockAt(before, "finalized").slot
        ? undefined
        : { method: "rootNotification", result: root, isLast: false };
    case "signature":
      // an older landing was already reported when the client subscribed
      return signatureNotice(state, interest, state.chain.recent);
    case "account":
      return accountNotice(before, state, interest);
  }
};
