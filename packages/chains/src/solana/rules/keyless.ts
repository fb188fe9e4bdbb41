import { type FamilyContent, type Network, ok, type Result } from "@conclave/custody";
import { keylessRecipient } from "../../rules/unsuitable-recipient.ts";
import { solanaTransferSchema } from "./act.ts";

const PROGRAM = "a program";
const SYSVAR = "a sysvar, which the chain writes";

/**
 * Addresses, the same on every cluster, for which nobody can sign: those that a transaction may never write (Agave,
 * reserved_account_keys), the programs of tokens and memos, and the incinerator, whose lamports are burnt (Agave, bank.rs,
 * run_incinerator). The System program's own address is missing because it is refused as an address.
 */
export const SOLANA_KEYLESS: ReadonlyMap<string, string> = new Map([
  ["1nc1nerator11111111111111111111111111111111", "the incinerator, which burns what it is paid"],
  ["AddressLookupTab1e1111111111111111111111111", PROGRAM],
  ["BPFLoader1111111111111111111111111111111111", PROGRAM],
  ["BPFLoader2111111111111111111111111111111111", PROGRAM],
  ["BPFLoaderUpgradeab1e11111111111111111111111", PROGRAM],
  ["ComputeBudget111111111111111111111111111111", PROGRAM],
  ["Config1111111111111111111111111111111111111", PROGRAM],
  ["Ed25519SigVerify111111111111111111111111111", PROGRAM],
  ["Feature111111111111111111111111111111111111", PROGRAM],
  ["KeccakSecp256k11111111111111111111111111111", PROGRAM],
  ["LoaderV411111111111111111111111111111111111", PROGRAM],
  ["NativeLoader1111111111111111111111111111111", PROGRAM],
  ["Secp256r1SigVerify1111111111111111111111111", PROGRAM],
  ["Stake11111111111111111111111111111111111111", PROGRAM],
  ["StakeConfig11111111111111111111111111111111", "the settings of staking"],
  ["Vote111111111111111111111111111111111111111", PROGRAM],
  ["ZkE1Gama1Proof11111111111111111111111111111", PROGRAM],
  ["ZkTokenProof1111111111111111111111111111111", PROGRAM],
  ["Sysvar1111111111111111111111111111111111111", SYSVAR],
  ["SysvarC1ock11111111111111111111111111111111", SYSVAR],
  ["SysvarEpochRewards1111111111111111111111111", SYSVAR],
  ["SysvarEpochSchedu1e111111111111111111111111", SYSVAR],
  ["SysvarFees111111111111111111111111111111111", SYSVAR],
  ["Sysvar1nstructions1111111111111111111111111", SYSVAR],
  ["SysvarLastRestartS1ot1111111111111111111111", SYSVAR],
  ["SysvarRecentB1ockHashes11111111111111111111", SYSVAR],
  ["SysvarRent111111111111111111111111111111111", SYSVAR],
  ["SysvarRewards111111111111111111111111111111", SYSVAR],
  ["SysvarS1otHashes111111111111111111111111111", SYSVAR],
  ["SysvarS1otHistory11111111111111111111111111", SYSVAR],
  ["SysvarStakeHistory1111111111111111111111111", SYSVAR],
  ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "the Token program"],
  ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "the program Token-2022"],
  ["ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "the Associated Token program"],
  ["Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo", "the first Memo program"],
  ["MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "the Memo program"],
  ["So11111111111111111111111111111111111111112", "the token of wrapped SOL"],
  ["9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9", "the token of wrapped SOL of Token-2022"],
]);

/**
 * Judges a recipient without the chain.
 * @param content as `judgeSolanaTransfer` returned it; @throws ZodError for anything else
 * @returns RecipientUnsuitable
 */
export const judgeSolanaKeyless = (_network: Network, content: FamilyContent): Result<void> => {
  const transfer = solanaTransferSchema.parse(content);
  if (transfer.kind !== "Native" && transfer.to === transfer.mint) {
    return keylessRecipient(transfer.to, "the token that is sent, and no account of anybody's");
  }
  const why = SOLANA_KEYLESS.get(transfer.to);
  return why === undefined ? ok(undefined) : keylessRecipient(transfer.to, why);
};
