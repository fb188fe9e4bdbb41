import { z } from "zod";
import type { AgaveAccount } from "../account.ts";
import { type AgaveAddress, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../address.ts";
import type { AgaveBlock } from "../block.ts";
import { AGAVE_CODES } from "../refusal.ts";
import { agaveAccountAt } from "../state.ts";
import { readAgaveMint, readAgaveTokenAccount } from "../token/token-account.ts";
import { agaveTokenAmount } from "../token/token-amount.ts";
import { accountEncodingParameter, agaveAccountJson, dataSliceParameter } from "./account-json.ts";
import {
  type AgaveMethod,
  type AgaveView,
  addressParameter,
  agaveMethod,
  agaveRefused,
  agaveResult,
  atAgaveContext,
  contextParameter,
  contextShape,
  inAgaveContext,
} from "./method.ts";

const MOST_ADDRESSES = 100;
const DATA_BYTES_MAX = 10 * 1_024 * 1_024;

const accountOptions = z
  .looseObject({ ...contextShape, encoding: accountEncodingParameter, dataSlice: dataSliceParameter })
  .prefault({});

type AccountOf = (address: AgaveAddress) => AgaveAccount | undefined;

/** The accounts as they are after a block. */
const accountsAt =
  ({ engine, state }: AgaveView, block: AgaveBlock): AccountOf =>
  (address) =>
    agaveAccountAt(state, block, address) ?? engine.builtin(address);

const tokenFilter = z.union([
  z.strictObject({ mint: addressParameter }),
  z.strictObject({ programId: addressParameter }),
]);

const heldAccounts = (
  { state }: AgaveView,
  accountOf: AccountOf,
  owner: AgaveAddress,
  filter: z.output<typeof tokenFilter>,
) => {
  // this iterates over existing addresses, so it omits an account that the latest blocks closed; a node's index would
  // omit it too
  const found: { readonly address: AgaveAddress; readonly account: AgaveAccount }[] = [];
  for (const address of state.accounts.keys()) {
    const account = accountOf(address);
    const held = readAgaveTokenAccount(account);
    if (account === undefined || held?.owner !== owner) continue;
    const isMeant = "mint" in filter ? held.mint === filter.mint : account.owner === filter.programId;
    if (isMeant) found.push({ address, account });
  }
  return found;
};

const isUnknownToken = (accountOf: AccountOf, filter: z.output<typeof tokenFilter>): string | undefined => {
  if ("programId" in filter) {
    const isKnown = filter.programId === TOKEN_PROGRAM || filter.programId === TOKEN_2022_PROGRAM;
    return isKnown ? undefined : "Invalid param: unrecognized Token program id";
  }
  return readAgaveMint(accountOf(filter.mint)) === undefined
    ? "Invalid param: could not find mint"
    : undefined;
};

/** @source Solana documentation, RPC: HTTP methods */
export const AGAVE_ACCOUNT_METHODS: Readonly<Record<string, AgaveMethod>> = {
  getBalance: agaveMethod({ address: addressParameter, options: contextParameter }, (ledger, given) =>
    atAgaveContext(ledger.state, given.options, (block) =>
      inAgaveContext(block, accountsAt(ledger, block)(given.address)?.lamports ?? 0n),
    ),
  ),
  getAccountInfo: agaveMethod({ address: addressParameter, options: accountOptions }, (ledger, given) =>
    atAgaveContext(ledger.state, given.options, (block) => {
      const accountOf = accountsAt(ledger, block);
      return inAgaveContext(
        block,
        agaveAccountJson(accountOf(given.address), {
          ...given.options,
          dataSlice: given.options.dataSlice,
          accountOf,
        }),
      );
    }),
  ),
  getMultipleAccounts: agaveMethod(
    { addresses: z.array(addressParameter).max(MOST_ADDRESSES), options: accountOptions },
    (ledger, { addresses, options }) =>
      atAgaveContext(ledger.state, options, (block) => {
        const accountOf = accountsAt(ledger, block);
        const form = { encoding: options.encoding, dataSlice: options.dataSlice, accountOf };
        return inAgaveContext(
          block,
          addresses.map((address) => agaveAccountJson(accountOf(address), form)),
        );
      }),
  ),
  getTokenAccountsByOwner: agaveMethod(
    { owner: addressParameter, filter: tokenFilter, options: accountOptions },
    (ledger, { owner, filter, options }) =>
      atAgaveContext(ledger.state, options, (block) => {
        const accountOf = accountsAt(ledger, block);
        const unknown = isUnknownToken(accountOf, filter);
        if (unknown !== undefined) return agaveRefused(AGAVE_CODES.invalidParams, unknown);
        const form = { encoding: options.encoding, dataSlice: options.dataSlice, accountOf };
        return inAgaveContext(
          block,
          heldAccounts(ledger, accountOf, owner, filter).map(({ address, account }) => ({
            pubkey: address,
            account: agaveAccountJson(account, form),
          })),
        );
      }),
  ),
  getTokenAccountBalance: agaveMethod(
    { address: addressParameter, options: contextParameter },
    (ledger, { address, options }) =>
      atAgaveContext(ledger.state, options, (block) => {
        const accountOf = accountsAt(ledger, block);
        const account = accountOf(address);
        const held = readAgaveTokenAccount(account);
        const mint = held && readAgaveMint(accountOf(held.mint));
        if (held !== undefined && mint !== undefined) {
          return inAgaveContext(block, agaveTokenAmount(held.amount, mint.decimals));
        }
        const words = account === undefined ? "could not find account" : "not a Token account";
        return agaveRefused(AGAVE_CODES.invalidParams, `Invalid param: ${words}`);
      }),
  ),
  getTokenSupply: agaveMethod(
    { address: addressParameter, options: contextParameter },
    (ledger, { address, options }) =>
      atAgaveContext(ledger.state, options, (block) => {
        const mint = readAgaveMint(accountsAt(ledger, block)(address));
        return mint === undefined
          ? agaveRefused(AGAVE_CODES.invalidParams, "Invalid param: not a Token mint")
          : inAgaveContext(block, agaveTokenAmount(mint.supply, mint.decimals));
      }),
  ),
  getMinimumBalanceForRentExemption: agaveMethod(
    { bytes: z.int().min(0).max(DATA_BYTES_MAX), options: contextParameter },
    ({ engine }, { bytes }) => agaveResult(engine.rentExemptMinimum(bytes)),
  ),
};
