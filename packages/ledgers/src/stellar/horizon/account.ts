import type { LedgerJson } from "../../json.ts";
import { type HorizonAddress, signerText } from "../address.ts";
import { accountEntry, type HorizonBooks, stellarEntriesIn, stellarEntryIn } from "../books.ts";
import { ACCOUNT_FLAGS, LINE_FLAGS } from "../operations/flags.ts";
import { type HorizonState, ledgerOf } from "../state.ts";
import { type HorizonSignerKey, xdrSignerKey } from "../xdr/account.ts";
import { encodeXdr } from "../xdr/codec.ts";
import type { HorizonAccount, HorizonEntry, HorizonTrustLine } from "../xdr/ledger-entry.ts";
import { amountText, creditJson, textOfBytes, timeText, toBase64 } from "./format.ts";
import { linkTo, linkToList } from "./link.ts";

const NO_LIABILITIES = { buying_liabilities: "0.0000000", selling_liabilities: "0.0000000" };

const lineJson = (line: HorizonTrustLine, modifiedIn: number): LedgerJson => {
  const isAuthorized = (line.flags & LINE_FLAGS.authorized) !== 0;
  return {
    balance: amountText(line.balance),
    limit: amountText(line.limit),
    ...NO_LIABILITIES,
    last_modified_ledger: modifiedIn,
    is_authorized: isAuthorized,
    is_authorized_to_maintain_liabilities:
      isAuthorized || (line.flags & LINE_FLAGS.maintainsLiabilities) !== 0,
    ...((line.flags & LINE_FLAGS.clawback) !== 0 && { is_clawback_enabled: true }),
    ...creditJson(line.asset),
  };
};

const SIGNER_TYPES: Readonly<Record<HorizonSignerKey["type"], string>> = {
  ed25519: "ed25519_public_key",
  preAuthorized: "preauth_tx",
  hash: "sha256_hash",
  signedPayload: "ed25519_signed_payload",
};

const keyText = (key: HorizonSignerKey): string =>
  key.type === "ed25519" ? key.value : signerText(key.type, encodeXdr(xdrSignerKey, key).subarray(4));

const signersJson = ({ address, signers, thresholds }: HorizonAccount): LedgerJson => [
  ...signers.map(({ key, weight }) => ({ weight, key: keyText(key), type: SIGNER_TYPES[key.type] })),
  { weight: thresholds[0] ?? 0, key: address, type: SIGNER_TYPES.ed25519 },
];

const flagsJson = ({ flags }: HorizonAccount): LedgerJson => ({
  auth_required: (flags & ACCOUNT_FLAGS.required) !== 0,
  auth_revocable: (flags & ACCOUNT_FLAGS.revocable) !== 0,
  auth_immutable: (flags & ACCOUNT_FLAGS.immutable) !== 0,
  auth_clawback_enabled: (flags & ACCOUNT_FLAGS.clawback) !== 0,
});

const LISTS = ["transactions", "payments"] as const;

/**
 * The links of an account. The official SDK renames a field that shares its name with a link, so clients find the field
 * `data` only if the link `data` exists.
 */
const linksJson = (origin: string, path: string): LedgerJson => ({
  self: linkTo(origin, path),
  ...Object.fromEntries(LISTS.map((name) => [name, linkToList(origin, `${path}/${name}`)])),
  data: { href: `${origin}${path}/data/{key}`, templated: true },
});

const inNameOf = (books: HorizonBooks, address: HorizonAddress): readonly HorizonEntry[] =>
  stellarEntriesIn(books).filter(
    ({ data }) => (data.type === "trustLine" || data.type === "data") && data.value.account === address,
  );

const modifiedIn = (books: HorizonBooks, account: HorizonAddress): number =>
  stellarEntryIn(books, { type: "account", value: { account } })?.modifiedIn ?? 0;

const balancesJson = (entries: readonly HorizonEntry[], { balance }: HorizonAccount): LedgerJson => [
  ...entries.flatMap(({ data, modifiedIn }) =>
    data.type === "trustLine" ? [lineJson(data.value, modifiedIn)] : [],
  ),
  { balance: amountText(balance), ...NO_LIABILITIES, asset_type: "native" },
];

/** GET /accounts/{id}. @returns undefined if the account does not exist */
export const horizonAccountJson = (
  state: HorizonState,
  address: HorizonAddress,
  origin: string,
): LedgerJson | undefined => {
  const account = accountEntry(state.books, address);
  if (account === undefined) return undefined;
  const entries = inNameOf(state.books, address);
  const own = modifiedIn(state.books, address);
  const closed = ledgerOf(state, own)?.header.value.closedAt;
  return {
    _links: linksJson(origin, `/accounts/${address}`),
    id: address,
    account_id: address,
    sequence: account.sequence.toString(),
    ...(account.sequenceLedger > 0 && {
      sequence_ledger: account.sequenceLedger,
      sequence_time: account.sequenceTime.toString(),
    }),
    subentry_count: account.subentries,
    ...(account.homeDomain.length > 0 && { home_domain: textOfBytes(account.homeDomain) }),
    ...(account.inflationDestination !== undefined && {
      inflation_destination: account.inflationDestination,
    }),
    last_modified_ledger: own,
    ...(closed !== undefined && { last_modified_time: timeText(closed) }),
    thresholds: {
      low_threshold: account.thresholds[1] ?? 0,
      med_threshold: account.thresholds[2] ?? 0,
      high_threshold: account.thresholds[3] ?? 0,
    },
    flags: flagsJson(account),
    balances: balancesJson(entries, account),
    signers: signersJson(account),
    data: Object.fromEntries(
      entries.flatMap(({ data }) =>
        data.type === "data" ? [[textOfBytes(data.value.name), toBase64(data.value.value)]] : [],
      ),
    ),
    num_sponsoring: 0,
    num_sponsored: 0,
    paging_token: address,
  };
};

/** An account's data entry, in base64. */
export const dataValue = (state: HorizonState, account: HorizonAddress, name: string): string | undefined => {
  const key = { type: "data" as const, value: { account, name: new TextEncoder().encode(name) } };
  const data = stellarEntryIn(state.books, key)?.data;
  return data?.type === "data" ? toBase64(data.value.value) : undefined;
};
