import {
  type ChainRequestEvent,
  type CreatingWallet,
  type SignatureRequest,
  signatureIdSchema,
  type Transaction,
  type Transfer,
  transactionIdSchema,
  transferIdSchema,
  UNTOUCHED,
} from "@conclave/custody";
import { freshId } from "../fresh-id.ts";

const date = "2026-01-02T03:04:05.678Z";

/** The fields of an authorised request that is not begun. */
const facts = {
  ...UNTOUCHED,
  externalId: undefined,
  status: "Pending",
  reason: undefined,
  approvalId: undefined,
  replacesId: undefined,
  policyDecision: { outcome: "Allowed", policies: [], date },
  authorisation: { payload: Uint8Array.of(3), signature: new Uint8Array(64) },
  dateRequested: date,
  datePolicyResolved: date,
} as const satisfies Partial<Transfer>;

/** The fields of a request that the policies have not decided on. */
export const UNDECIDED = {
  policyDecision: undefined,
  authorisation: undefined,
  datePolicyResolved: undefined,
} as const satisfies Partial<Transfer>;

/** A signature request for a wallet's key, accepted and authorised. */
export const sampleSignature = (
  { id, orgId, network, requester, keyId }: SampledWallet & Pick<CreatingWallet, "keyId">,
  change: Partial<SignatureRequest> = {},
): SignatureRequest => ({
  id: freshId(signatureIdSchema, "sig"),
  orgId,
  keyId,
  walletId: id,
  network,
  requester,
  requestBody: { kind: "Message", message: "00" },
  externalId: undefined,
  status: "Pending",
  reason: undefined,
  approvalId: undefined,
  policyDecision: facts.policyDecision,
  authorisation: facts.authorisation,
  signature: undefined,
  signedData: undefined,
  dateRequested: date,
  datePolicyResolved: date,
  dateSigned: undefined,
  ...change,
});

type SampledWallet = Pick<CreatingWallet, "id" | "orgId" | "network" | "requester">;

const placeOf = ({ id, orgId, network, requester }: SampledWallet) => ({
  orgId,
  walletId: id,
  network,
  requester,
});

/** A transfer of a wallet, accepted and authorised. */
export const sampleTransfer = (wallet: SampledWallet, change: Partial<Transfer> = {}): Transfer => ({
  ...facts,
  ...placeOf(wallet),
  kind: "Transfer",
  id: freshId(transferIdSchema, "xfr"),
  requestBody: { kind: "Native", to: "0x00", amount: "1" },
  metadata: { asset: { symbol: "ETH", decimals: 18, verified: true } },
  ...change,
});

/** A transaction of a wallet, accepted and authorised. */
export const sampleTransaction = (wallet: SampledWallet, change: Partial<Transaction> = {}): Transaction => ({
  ...facts,
  ...placeOf(wallet),
  kind: "Transaction",
  id: freshId(transactionIdSchema, "tx"),
  requestBody: { kind: "Evm", to: "0x00", nonce: "7" },
  ...change,
});

/** The events that make a request signed: built at place 7, as transaction 0xaa. */
export const SIGNING_EVENTS = [
  {
    kind: "Built",
    sequence: 7n,
    exclusion: Uint8Array.of(7),
    unsignedTransaction: Uint8Array.of(2, 1),
    details: { nonce: 7 },
  },
  {
    kind: "Signed",
    unsignedTransaction: Uint8Array.of(2, 1),
    signedTransaction: Uint8Array.of(2, 9),
    txHash: "0xaa",
  },
] as const satisfies readonly ChainRequestEvent[];
