import { type FamilyContent, ok, type Result } from "@conclave/custody";
import { base64 } from "@scure/base";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import type { NodeWire } from "../../breaker/node/resting-fetch.ts";
import { unsuitableRecipient } from "../../rules/unsuitable-recipient.ts";
import { STELLAR_CONTENT } from "../content.ts";
import type { StellarNetwork } from "../network.ts";
import type { StellarTransfer } from "../rules/act.ts";
import type { StellarAccount } from "../situation.ts";
import { assetContractOf } from "../soroban/asset-contract.ts";
import { writeLedgerKey } from "../soroban/ledger-key.ts";
import { stellarAccountOf } from "./accounts.ts";
import { connectStellar, type StellarRest } from "./rest.ts";

/** An asset's contract moves the holdings of others, but never its own (CAP-46-06). */
const judgeContract = ({ passphrase }: StellarNetwork, transfer: StellarTransfer): Result<void> => {
  const token = transfer.kind === "Sep41" ? { code: transfer.assetCode, issuer: transfer.issuer } : undefined;
  const own = [assetContractOf(passphrase, token), assetContractOf(passphrase, undefined)];
  return own.includes(transfer.to)
    ? unsuitableRecipient(
        "token-contract",
        `${transfer.to} is the contract of an asset: nothing moves what it holds.`,
      )
    : ok(undefined);
};

/** The ledger entries that Stellar RPC finds by keys (Stellar RPC, getLedgerEntries). */
const entriesSchema = z.object({ result: z.object({ entries: z.array(z.unknown()).nullish() }) });

/**
 * Whether a contract exists, or existed and is archived. If the network's entry names no Stellar RPC, or that does not
 * know the request, the contract counts as existing, and the simulation of the transfer decides.
 */
const isContractThere = async (
  { network, rpcUrl }: StellarNetwork,
  contract: string,
  wire: NodeWire,
): Promise<Result<boolean>> => {
  if (rpcUrl === undefined) return ok(true);
  const keys = [base64.encode(writeLedgerKey({ kind: "instance", contract }))];
  const answer = await connectStellar(network, rpcUrl, undefined, wire).call({
    jsonrpc: "2.0",
    id: 1,
    method: "getLedgerEntries",
    params: { keys },
  });
  if (answer.kind === "away") return nodeAway(network, answer.cause);
  const found = entriesSchema.safeParse(answer.body);
  return ok(!found.success || (found.data.result.entries ?? []).length > 0);
};

/**
 * Judges a contract as recipient: an asset's contract pays to any contract address, even one without a contract
 * (CAP-46-06).
 */
const judgeAnyContract = async (
  network: StellarNetwork,
  transfer: StellarTransfer,
  wire: NodeWire,
): Promise<Result<void>> => {
  const own = judgeContract(network, transfer);
  if (!own.ok) return own;
  const isThere = await isContractThere(network, transfer.to, wire);
  if (!isThere.ok) return isThere;
  return isThere.value
    ? ok(undefined)
    : unsuitableRecipient(
        "no-contract",
        `No contract is at ${transfer.to}: nobody takes what is sent there, unless the contract of just this address is made later.`,
      );
};

/** No set of signers can reach a payment's threshold, so the balance of such an account is locked. */
const isLocked = ({ weightOfAll, threshold }: StellarAccount): boolean =>
  weightOfAll === 0 || weightOfAll < threshold;

const judgeAccount = ({ to, memo }: StellarTransfer, account: StellarAccount): Result<void> => {
  if (isLocked(account)) {
    return unsuitableRecipient(
      "locked",
      `${to} is locked: all its signers together weigh ${account.weightOfAll}, and a payment takes ${account.threshold}.`,
    );
  }
  return account.wantsMemo && memo === undefined
    ? unsuitableRecipient(
        "memo-required",
        `${to} tells its payments apart by their memos, and asks for one with each (SEP-29): give it as memo.`,
      )
    : ok(undefined);
};

/**
 * Judges a recipient by the last ledger's data of its account or contract.
 *
 * @param soroban the connection to the network's Stellar RPC
 * @returns RecipientUnsuitable; ServiceUnavailable when the node is away. An account that does not exist yet is
 * suitable
 */
export const judgeStellarRecipientAt = async (
  network: StellarNetwork,
  rest: StellarRest,
  soroban: NodeWire,
  content: FamilyContent,
): Promise<Result<void>> => {
  const transfer = STELLAR_CONTENT.parseTransfer(content);
  if (!transfer.ok) return transfer;
  if (transfer.value.to.startsWith("C")) return judgeAnyContract(network, transfer.value, soroban);
  const account = await stellarAccountOf(rest, transfer.value.to);
  if (!account.ok) return account;
  return account.value === undefined ? ok(undefined) : judgeAccount(transfer.value, account.value);
};
