import { type AddressKeys, fail, type Network, ok, type Result } from "@conclave/custody";
import { base58xrp } from "@scure/base";
import { judgeXrplAccount, parseBase58Check, parseXrplAddress, xrplAccountId } from "./address.ts";

/** The destination of a payment: an account, and optionally a tag for a customer behind it. */
export interface XrplDestination {
  /** in the classic form */
  readonly address: string;
  /** the destination tag inside the address */
  readonly tag: number | undefined;
}

/** The prefixes of X-addresses of the main network, and of T-addresses of all test networks (XLS-5d). */
const FORMS = [
  { first: "X", isMain: true, prefix: Uint8Array.of(0x05, 0x44) },
  { first: "T", isMain: false, prefix: Uint8Array.of(0x04, 0x93) },
] as const;
type Form = (typeof FORMS)[number];

const MAIN_NETWORK = "XrpLedger";
const ACCOUNT_BYTES = 20;
/** After the account come a byte of flags, a 32-bit little-endian tag, and four zero bytes. */
const FLAGS_AT = ACCOUNT_BYTES;
const TAG_AT = FLAGS_AT + 1;
const TAG_BYTES = 4;
const REST_BYTES = 4;
const BODY_BYTES = TAG_AT + TAG_BYTES + REST_BYTES;
const CHECKSUM_BYTES = 4;
const NO_TAG = 0;
const TAG = 1;

const formOf = (text: string): Form | undefined => FORMS.find(({ first }) => text.startsWith(first));

const readX = (text: string, field: string, { prefix }: Form): Result<XrplDestination> => {
  const body = parseBase58Check(text, field, { prefix, bytes: prefix.length + BODY_BYTES });
  if (!body.ok) return body;
  const address = judgeXrplAccount(body.value.slice(0, ACCOUNT_BYTES), field);
  if (!address.ok) return address;
  const flags = body.value[FLAGS_AT];
  const tagBytes = body.value.slice(TAG_AT, TAG_AT + TAG_BYTES);
  const tag = new DataView(tagBytes.buffer).getUint32(0, true);
  const isZero = body.value.slice(TAG_AT + TAG_BYTES).every((byte) => byte === 0);
  if (isZero && flags === TAG) return ok({ address: address.value, tag });
  if (isZero && flags === NO_TAG && tag === 0) return ok({ address: address.value, tag: undefined });
  return fail(
    "AddressInvalid",
    { field },
    "The address holds a tag of a kind that the ledger does not have.",
  );
};

/**
 * Judges the destination of a payment: a classic address, or one with a tag inside (X-address, XLS-5d).
 * @param field the request's field that holds it, shown in the problem
 * @returns AddressInvalid, also for an X-address of a test network on the main network, or the reverse; AddressChecksum
 */
export const parseXrplDestination = (
  network: Network,
  text: string,
  field: string,
): Result<XrplDestination> => {
  const form = formOf(text);
  if (form === undefined) {
    const address = parseXrplAddress(text, field);
    return address.ok ? ok({ address: address.value, tag: undefined }) : address;
  }
  const read = readX(text, field, form);
  if (!read.ok || form.isMain === (network === MAIN_NETWORK)) return read;
  const of = form.isMain ? "the main network" : "a test network";
  return fail(
    "AddressInvalid",
    { field, network },
    `The address is one of ${of}, and the wallet's network is ${network}.`,
  );
};

/** The classic form of an address, without its tag; any other text is returned unchanged. */
export const spellXrplAddress = (text: string): string => {
  const form = formOf(text);
  const read = form === undefined ? undefined : readX(text, "", form);
  return read?.ok ? read.value.address : text;
};

/** Length of an X-address or T-address, in characters. */
const TEXT_LENGTH = 47;
/**
 * Length of the part that prefix and account decide, up to one carry: the characters after it are worth 58^19, more than the
 * 256^13 of the bytes after the account.
 */
const KEY_LENGTH = 28;
const LARGEST_BYTE = 0xff;

/** The keys of all texts of a form that name an account: from the lowest and the highest of them. */
const keysOf = ({ prefix }: Form, accountId: Uint8Array): readonly string[] =>
  [0, LARGEST_BYTE].map((filler) => {
    const bytes = new Uint8Array(prefix.length + BODY_BYTES + CHECKSUM_BYTES).fill(filler);
    bytes.set(prefix);
    bytes.set(accountId, prefix.length);
    return XRPL_ADDRESS_KEYS.ofEntry(base58xrp.encode(bytes));
  });

/** An entry that means an account is its classic address, or an X-address; X-addresses are matched by their first characters. */
export const XRPL_ADDRESS_KEYS: AddressKeys = {
  ofEntry: (text) =>
    text.length === TEXT_LENGTH && formOf(text) !== undefined ? text.slice(0, KEY_LENGTH) : text,
  ofAddress: (spelled) => {
    const address = parseXrplAddress(spelled, "");
    const inside = address.ok ? FORMS.flatMap((form) => keysOf(form, xrplAccountId(spelled))) : [];
    return [...new Set([XRPL_ADDRESS_KEYS.ofEntry(spelled), ...inside])];
  },
};
