import type { AuthorisedTransfer, Result, TransactionReading } from "@conclave/custody";
import { ALGORAND_FAMILY } from "../algorand/family.ts";
import { BITCOIN_FAMILY } from "../bitcoin/family.ts";
import type { BuiltTransaction, ChainFamily, NetworkEntry } from "../chain.ts";
import { EVM_FAMILY } from "../evm/family.ts";
import { SOLANA_FAMILY } from "../solana/family.ts";
import { solanaAddress } from "../solana/rules/address.ts";
import { STELLAR_FAMILY } from "../stellar/family.ts";
import { TRON_FAMILY } from "../tron/family.ts";
import { XRPL_FAMILY } from "../xrpl/family.ts";
import { testAccount, testEdwardsKey } from "./account.ts";
import {
  ALGO_TRANSFER,
  ALGORAND_KEY,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  authorisedAlgorand,
} from "./algorand-samples.ts";
import {
  authorisedBitcoin,
  BITCOIN_KEY,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  BTC_TRANSFER,
  coinsOf,
} from "./bitcoin-samples.ts";
import { authorised, NATIVE, SEPOLIA, TEST_ADDRESS, TEST_SECRET_KEY } from "./samples.ts";
import {
  authorisedSolana,
  SOL_TRANSFER,
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_SENDER,
  SOLANA_SITUATION,
  SPL_TRANSFER,
} from "./solana-samples.ts";
import {
  authorisedStellar,
  LUMEN_TRANSFER,
  STELLAR_KEY,
  STELLAR_SENDER,
  STELLAR_TESTNET,
} from "./stellar-samples.ts";
import { authorisedTron, TRON_KEY, TRON_NILE, TRON_SENDER, TRX_TRANSFER } from "./tron-samples.ts";
import { authorisedXrpl, XRP_TRANSFER, XRPL_KEY, XRPL_SENDER, XRPL_TESTNET } from "./xrpl-samples.ts";

/** A transfer to build from the chain's state, and to read for signing. */
export interface BuildSample {
  readonly family: string;
  readonly kind: string;
  readonly build: () => Result<BuiltTransaction>;
  /** describes bytes whose record is lost, by the family's `describe` */
  readonly describe: (unsigned: Uint8Array) => Result<Omit<BuiltTransaction, "unsigned">>;
  /** reads bytes as a signer does, up to the digests that it signs */
  readonly read: (unsigned: Uint8Array) => Result<TransactionReading>;
}

interface Given<Entry extends NetworkEntry, Situation> {
  readonly entry: Entry;
  readonly situation: Situation;
  readonly sender: string;
  readonly publicKey: Uint8Array;
  readonly act: AuthorisedTransfer;
}

const sampleOf = <Entry extends NetworkEntry, Situation>(
  family: ChainFamily<Entry, Situation>,
  { entry, situation, sender, publicKey, act }: Given<Entry, Situation>,
): BuildSample => {
  const intent = {
    sender,
    keys: [publicKey],
    act,
    priority: undefined,
    sequencing: { kind: "next", lowest: 0n },
    alive: [],
  } as const;
  return {
    family: family.name,
    kind: act.transfer.kind,
    build: () => family.build(entry, situation, intent),
    describe: (unsigned) => family.describe(unsigned, sender),
    read: (unsigned) => family.read(entry, unsigned, act),
  };
};

const GWEI = 1_000_000_000n;
const EVM = sampleOf(EVM_FAMILY, {
  entry: EVM_FAMILY.entrySchema.parse({ ...SEPOLIA, rpcUrl: "http://127.0.0.1:8545", confirmations: 2 }),
  situation: {
    count: { mined: 7n, pending: 7n },
    balance: 2n * 10n ** 18n,
    market: { nextBaseFee: GWEI, rewards: [], suggestedTip: GWEI },
    gasLimits: { block: 30_000_000n, transaction: undefined },
    holding: undefined,
    estimate: 21_000n,
  },
  sender: TEST_ADDRESS,
  publicKey: testAccount(TEST_SECRET_KEY).publicKey,
  act: authorised(NATIVE),
});

const ALGORAND = sampleOf(ALGORAND_FAMILY, {
  entry: ALGORAND_TESTNET,
  situation: {
    genesisId: ALGORAND_TESTNET.genesisId,
    genesisHash: ALGORAND_TESTNET.genesisHash,
    lastRound: 5_000n,
    fees: { leastFee: 1_000n, feePerByte: 0n },
    sender: { balance: 10_000_000n, least: 100_000n, authority: undefined },
    recipient: { balance: 100_000n, least: 100_000n, authority: undefined },
    asset: undefined,
  },
  sender: ALGORAND_SENDER,
  publicKey: ALGORAND_KEY.publicKey,
  act: authorisedAlgorand(ALGO_TRANSFER),
});

const TWO_COINS = coinsOf([100_000n, 100_000n]);
const BITCOIN = sampleOf(BITCOIN_FAMILY, {
  entry: BITCOIN_SIGNET,
  situation: {
    height: 800_000n,
    medianTime: 1_700_000_000n,
    rate: 5_000n,
    floor: { least: 1_000n, increment: 1_000n },
    coins: TWO_COINS,
    unspent: TWO_COINS,
    inPool: 0n,
    replacedWithDescendants: 0n,
  },
  sender: BITCOIN_SENDER,
  publicKey: BITCOIN_KEY.publicKey,
  act: authorisedBitcoin({ ...BTC_TRANSFER, amount: "150000" }),
});

const LUMENS = {
  sequence: 100n,
  balance: 100_000_000n,
  selling: 0n,
  reserves: 3n,
  weight: 1,
  threshold: 0,
  weightOfAll: 1,
  wantsMemo: false,
  trustlines: [],
};
const STELLAR = sampleOf(STELLAR_FAMILY, {
  entry: STELLAR_TESTNET,
  situation: {
    passphrase: STELLAR_TESTNET.passphrase,
    closedAt: 2_000_000_000n,
    baseReserve: 5_000_000n,
    fees: { base: 100n, usual: 250n },
    sender: LUMENS,
    recipient: LUMENS,
  },
  sender: STELLAR_SENDER,
  publicKey: STELLAR_KEY.publicKey,
  act: authorisedStellar(LUMEN_TRANSFER),
});

const DROPS = {
  balance: 100_000_000n,
  objects: 0,
  requiresTag: false,
  requiresAuthorisation: false,
  isMasterDisabled: false,
};
const XRPL = sampleOf(XRPL_FAMILY, {
  entry: XRPL_TESTNET,
  situation: {
    networkId: XRPL_TESTNET.networkId,
    validated: 1_000,
    reserve: { base: 1_000_000n, object: 200_000n },
    fees: { open: 10n, least: 10n },
    sender: { ...DROPS, place: { next: 500n, isAbandoned: false } },
    recipient: DROPS,
    isAuthorised: true,
  },
  sender: XRPL_SENDER,
  publicKey: XRPL_KEY.publicKey,
  act: authorisedXrpl(XRP_TRANSFER),
});

const SOLANA = sampleOf(SOLANA_FAMILY, {
  entry: SOLANA_DEVNET,
  situation: SOLANA_SITUATION,
  sender: SOLANA_SENDER,
  publicKey: SOLANA_KEY.publicKey,
  act: authorisedSolana(SOL_TRANSFER),
});

/** Different recipients, so that each sample derives another token account. */
const RECIPIENTS = 512;
const splSamples: readonly BuildSample[] = Array.from({ length: RECIPIENTS }, (_, index) => {
  const to = solanaAddress(testEdwardsKey((index + 1).toString(16).padStart(64, "0")).publicKey);
  const { token } = SOLANA_SITUATION;
  const held = token?.ofRecipient;
  return sampleOf(SOLANA_FAMILY, {
    entry: SOLANA_DEVNET,
    situation: {
      ...SOLANA_SITUATION,
      token: token && { ...token, ofRecipient: held && { ...held, owner: to } },
    },
    sender: SOLANA_SENDER,
    publicKey: SOLANA_KEY.publicKey,
    act: authorisedSolana({ ...SPL_TRANSFER, to }),
  });
});

/** Builds the samples in turn; each must be read before the next one is built. */
const inTurn = (first: BuildSample, others: readonly BuildSample[]): BuildSample => {
  let current = first;
  let next = 0;
  return {
    ...first,
    build: () => {
      current = others[next % others.length] ?? first;
      next += 1;
      return current.build();
    },
    read: (unsigned) => current.read(unsigned),
  };
};

const TRON = sampleOf(TRON_FAMILY, {
  entry: TRON_NILE,
  situation: {
    genesisBlock: TRON_NILE.genesisBlock,
    solid: { height: 0x5a1234n, id: `00000000005a1234${"ff".repeat(24)}` },
    headTimeMs: 1_767_225_600_000n,
    prices: {
      bandwidth: 1_000n,
      energy: 100n,
      newAccount: 1_000_000n,
      newAccountBandwidth: 100_000n,
      feeLimitMax: 15_000_000_000n,
      paysContracts: false,
    },
    sender: {
      balance: 100_000_000n,
      freeBandwidth: 600n,
      stakedBandwidth: 0n,
      energy: 0n,
      isOwn: true,
    },
    recipient: { exists: true, isContract: false },
    held: undefined,
    call: undefined,
  },
  sender: TRON_SENDER,
  publicKey: TRON_KEY.publicKey,
  act: authorisedTron(TRX_TRANSFER),
});

/**
 * One transfer of each family's coin, and Solana token transfers, whose derived accounts take the most computation. The Bitcoin
 * sample spends two coins.
 */
export const BUILD_SAMPLES: readonly BuildSample[] = [
  EVM,
  BITCOIN,
  SOLANA,
  ...splSamples.slice(0, 1).map((first) => inTurn(first, splSamples)),
  TRON,
  ALGORAND,
  STELLAR,
  XRPL,
];
