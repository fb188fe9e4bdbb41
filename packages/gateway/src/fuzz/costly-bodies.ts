import { createHash } from "node:crypto";

/** The wallet of a request; its public key is 33 bytes in hex. */
export interface CostlyWallet {
  readonly network: string;
  readonly publicKey: string;
}

/** A valid body that costs more than its size suggests. */
export interface CostlyBody {
  readonly operation: string;
  readonly name: string;
  /** network of the wallet in the request; absent where the operation is not about a wallet */
  readonly network?: string;
  readonly body: (wallet: CostlyWallet) => unknown;
  /** makes a new policy, so that nothing of it is cached when the body is judged */
  readonly under?: () => unknown;
}

const times = <Value>(count: number, value: (at: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, at) => value(at));

/** The contract of all calls. */
export const CALLED_CONTRACT: `0x${string}` = `0x${"1".repeat(40)}`;

/** The ABI of a function with one argument. */
const functionOf = (type: string, components?: readonly object[]) => ({
  type: "function",
  name: "f",
  stateMutability: "view",
  inputs: [{ name: "a", type, ...(components === undefined ? {} : { components }) }],
  outputs: [{ name: "", type: "uint256" }],
});

/** Values in a call's argument: the limit is 1024, and the list of arguments and the argument itself count as two. */
const CALL_VALUES = 1_022;
const TUPLE_FIELDS = 40;

const call = (name: string, abi: object, argument: unknown): CostlyBody => ({
  operation: "callFunction",
  name,
  body: () => ({ contract: CALLED_CONTRACT, abi, calldata: [argument] }),
});

const CALLS: readonly CostlyBody[] = [
  call(
    "1022 numbers of a byte",
    functionOf("uint8[]"),
    times(CALL_VALUES, () => "255"),
  ),
  call(
    "1022 numbers of 32 bytes",
    functionOf("uint256[]"),
    times(CALL_VALUES, () => (2n ** 256n - 1n).toString()),
  ),
  call(
    "tuples",
    functionOf(
      "tuple[]",
      times(TUPLE_FIELDS, (at) => ({ name: `f${at}`, type: "address" })),
    ),
    times(24, () => Object.fromEntries(times(TUPLE_FIELDS, (at) => [`f${at}`, CALLED_CONTRACT]))),
  ),
];

/** Fields of 92 characters each as JSON. */
const wideFields = (count: number) =>
  times(count, (at) => ({ name: `p${at}`.padEnd(60, "p"), type: "bytes32" }));

/** Typed data of a list of structs; types without values make the text of all types longer. */
const typedData = (structs: number, fields: number, wide: readonly number[] = []) => {
  const names = times(fields, (at) => `f${at}`);
  const absent = wide.map((count, at) => ({ field: `none${at}`, type: `Wide${at}`, count }));
  const item = Object.fromEntries(names.map((name) => [name, "1"]));
  return {
    types: {
      List: [
        { name: "items", type: "Item[]" },
        ...absent.map(({ field, type }) => ({ name: field, type: `${type}[]` })),
      ],
      Item: names.map((name) => ({ name, type: "uint256" })),
      ...Object.fromEntries(absent.map(({ type, count }) => [type, wideFields(count)])),
    },
    domain: { name: "d" },
    message: {
      items: times(structs, () => item),
      ...Object.fromEntries(absent.map(({ field }) => [field, []])),
    },
  };
};

const signed = (name: string, network: string, body: CostlyBody["body"]): readonly CostlyBody[] => [
  { operation: "generateSignature", name, network, body },
];

const typed = (name: string, data: object): readonly CostlyBody[] =>
  signed(name, "EthereumSepolia", () => ({ kind: "Eip712", ...data }));

/** Bitcoin's CompactSize, below 65536. */
const varInt = (value: number): Buffer =>
  value < 0xfd ? Buffer.from([value]) : Buffer.from([0xfd, value & 0xff, value >> 8]);
const record = (type: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([1, type]), varInt(value.length), value]);
const amount = (satoshis: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(satoshis);
  return bytes;
};
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const sha256 = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();

/** A transaction without a witness, with one output (BIP-144). */
const transactionOf = (inputs: readonly Buffer[], output: Buffer): Buffer =>
  Buffer.concat([uint32(2), varInt(inputs.length), ...inputs, varInt(1), output, uint32(0)]);
const inputOf = (txid: Buffer): Buffer =>
  Buffer.concat([txid, uint32(0), Buffer.from([0]), uint32(0xfffffffd)]);

/** A PSBT (BIP-174) of a wallet's P2WPKH coins, each with the transaction that paid it. Lower-case hex. */
const psbtOf = ({ publicKey }: CostlyWallet, inputs: number): string => {
  const key = Buffer.from(publicKey.replace(/^0x/, ""), "hex");
  const script = Buffer.concat([Buffer.from([0, 20]), createHash("ripemd160").update(sha256(key)).digest()]);
  const output = (satoshis: bigint) => Buffer.concat([amount(satoshis), varInt(script.length), script]);
  const paid = times(inputs, (at) => transactionOf([inputOf(sha256(uint32(at)))], output(20_000n)));
  const unsigned = transactionOf(
    paid.map((each) => inputOf(sha256(sha256(each)))),
    output(BigInt(inputs) * 20_000n - 100_000n),
  );
  const coins = paid.map((each) =>
    Buffer.concat([record(0, each), record(1, output(20_000n)), Buffer.from([0])]),
  );
  const [magic, end] = [Buffer.from("70736274ff", "hex"), Buffer.from([0])];
  return Buffer.concat([magic, record(0, unsigned), end, ...coins, end]).toString("hex");
};

const MOST_LISTED = 10_000;

const policyOf = (addresses: readonly string[], filters?: object) => ({
  name: "costly",
  activityKind: "Wallets:Sign",
  rule: { kind: "TransactionRecipientWhitelist", configuration: { addresses } },
  action: { kind: "NoAction" },
  ...(filters === undefined ? {} : { filters }),
});

const whitelist = (name: string, address: (at: number) => string): CostlyBody => ({
  operation: "createPolicy",
  name: `a whitelist of 10000 ${name}`,
  body: () => policyOf(times(MOST_LISTED, address), { walletTags: { hasAny: ["nobody"] } }),
});

/** A payment to an address outside the list of the policy on its wallet. */
const paidUnder = (
  name: string,
  network: string,
  to: string,
  address: (at: number) => string,
): CostlyBody => ({
  operation: "transferAsset",
  name: `under a whitelist of 10000 ${name}`,
  network,
  body: () => ({ kind: "Native", to, amount: "20000" }),
  under: () => policyOf(times(MOST_LISTED, address)),
});

const evmAddress = (at: number): string => `0x${at.toString(16).padStart(40, "1")}`;

const BITCOIN_ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const upperSegwit = (at: number): string => `BC1Q${at.toString(16).toUpperCase().padStart(38, "Q")}`;

const XRPL_ACCOUNT = "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59";
/** A number in letters that are valid in the base58 of the XRP Ledger. */
const lettersOf = (at: number, length: number): string =>
  at.toString(16).padStart(length, "0").replaceAll("0", "z").replaceAll("1", "y");
/** Texts of 47 characters with a wrong checksum, which a parser checks last. */
const xAddressOfAnother = (at: number): string => `X7${lettersOf(at, 20)}${"A".repeat(25)}`;
const xAddressAlike = (at: number): string => `X7AcgcsBL6XDcUb289X4mJ8djcdyKa${lettersOf(at, 17)}`;

/**
 * For each operation whose work is more than reading its body, the most expensive valid bodies, and an ordinary one for
 * comparison.
 */
export const COSTLY_BODIES: readonly CostlyBody[] = [
  ...signed("an ordinary message", "EthereumSepolia", () => ({ kind: "Message", message: "0x01" })),
  ...CALLS,
  ...typed("typed data of 170 small structs", typedData(170, 1)),
  ...typed("typed data of 48 structs of 20 fields", typedData(48, 20)),
  ...typed("typed data of 6 structs, and 15 KB of types", typedData(5, 1, [60, 60, 45])),
  ...signed("a PSBT of 256 coins", "Bitcoin", (wallet) => ({
    kind: "Psbt",
    psbt: `0x${psbtOf(wallet, 256)}`,
  })),
  {
    operation: "broadcastTransaction",
    name: "a PSBT of 256 coins",
    network: "Bitcoin",
    body: (wallet) => ({ kind: "Psbt", psbt: `0x${psbtOf(wallet, 256)}` }),
  },
  whitelist("EVM addresses", evmAddress),
  whitelist("texts of Bitcoin addresses", (at) => `bc1q${at.toString(16).padStart(38, "q")}`),
  paidUnder("EVM addresses", "EthereumSepolia", evmAddress(MOST_LISTED), evmAddress),
  paidUnder("Bitcoin addresses in upper case", "Bitcoin", BITCOIN_ADDRESS, upperSegwit),
  paidUnder("texts of X-addresses", "XrpLedger", XRPL_ACCOUNT, xAddressOfAnother),
  paidUnder("texts that look like the recipient's X-address", "XrpLedger", XRPL_ACCOUNT, xAddressAlike),
];
