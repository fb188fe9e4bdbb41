import type { HorizonAddress } from "../address.ts";
import { type HorizonBooks, stellarEntryIn } from "../books.ts";
import { encodeXdr } from "../xdr/codec.ts";
import { type HorizonContractCall, type HorizonInvocation, xdrAuthorization } from "../xdr/invocation.ts";
import { assetInInstance, instanceKey } from "./asset-contract.ts";
import type { AssetTransfer, ContractFlaw } from "./transfer.ts";

const TRANSFER = "transfer";

const notSimulated = (what: string): ContractFlaw => ({
  words: `this simulated ledger carries out transfers of asset contracts only: not ${what}`,
});

/**
 * Reads a call as a transfer of an asset, the only call that this ledger implements.
 * @returns why it is not a transfer
 */
export const transferIn = (
  { contract, name, arguments: given }: HorizonContractCall,
  books: HorizonBooks,
): AssetTransfer | ContractFlaw => {
  if (contract.type !== "contract") return { words: "HostError: Error(Value, InvalidInput)" };
  const asset = assetInInstance(stellarEntryIn(books, instanceKey(contract.value))?.data);
  if (asset === undefined) return { words: "HostError: Error(Storage, MissingValue)" };
  const called = new TextDecoder().decode(name);
  if (called !== TRANSFER) return notSimulated(`the function ${called}`);
  const [from, to, amount] = given;
  if (given.length !== 3 || from?.type !== "address" || to?.type !== "address" || amount?.type !== "i128") {
    return { words: "HostError: Error(Value, UnexpectedType)" };
  }
  if (from.value.type !== "account") return notSimulated("what contracts send themselves");
  return {
    contract: contract.value,
    asset,
    from: from.value.value,
    to: to.value,
    amount: amount.value,
  };
};

const NOT_AUTHORIZED: ContractFlaw = { words: "HostError: Error(Auth, InvalidAction)" };

/** The authorisation of a transfer whose payer is the source of the transaction. */
export const authorizationOf = (call: HorizonContractCall): Uint8Array =>
  encodeXdr(xdrAuthorization, {
    credentials: { type: "sourceAccount", value: undefined },
    call: { function: { type: "contractCall", value: call }, within: [] },
  });

/** Checks that the paying account authorised exactly this call. @returns undefined if it did */
export const flawOfAuthority = (
  { function: called, authorizations }: HorizonInvocation,
  { from }: AssetTransfer,
  source: HorizonAddress,
): ContractFlaw | undefined => {
  const needed = authorizationOf(called.value).join();
  const isSaid = authorizations.some((given) => encodeXdr(xdrAuthorization, given).join() === needed);
  return from === source && isSaid ? undefined : NOT_AUTHORIZED;
};
