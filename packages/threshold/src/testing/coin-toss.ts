import { equalBytes } from "@noble/curves/utils.js";
import { type Codec, decode, encode, fixedBytes, struct } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import type { Inbox, Round, Start, Step } from "../session/round.ts";
import { hashFields } from "../transcript.ts";

/**
 * The output of the smallest protocol that uses all features of the session layer: commit to a coin (echoed), open it
 * (broadcast) with a pad for each other party (sealed); the coin is the exclusive-or of all coins.
 */
export interface CoinToss {
  readonly coin: Uint8Array;
  /** the messages that each other party sent to this one alone */
  readonly pads: ReadonlyMap<PartyIndex, Uint8Array>;
}

interface CoinTossConfig {
  readonly self: PartyIndex;
  readonly parties: readonly PartyIndex[];
  /** number of the first round; 1 when absent */
  readonly firstRound?: number;
}

interface CoinOpening {
  readonly coin: Uint8Array;
  readonly nonce: Uint8Array;
}

export const coinOpeningCodec: Codec<CoinOpening> = struct<CoinOpening>({
  coin: fixedBytes(32),
  nonce: fixedBytes(32),
});

/** The largest message of the coin toss. */
const COIN_PAYLOAD_BYTES_MAX = 64;

export const commitToCoin = (party: PartyIndex, { coin, nonce }: CoinOpening): Uint8Array =>
  hashFields("coin-toss", [party, coin, nonce]);

export const startCoinToss =
  (config: CoinTossConfig): Start<CoinToss> =>
  (entropy) => {
    const own: CoinOpening = { coin: entropy(32), nonce: entropy(32) };
    const first = config.firstRound ?? 1;
    return {
      kind: "next",
      messages: [{ to: "all", payload: commitToCoin(config.self, own) }],
      round: {
        number: first,
        expects: { broadcast: "echo", direct: "none", payloadBytesMax: COIN_PAYLOAD_BYTES_MAX },
        advance: (commitments, nextEntropy) => ({
          kind: "next",
          messages: [
            { to: "all", payload: encode(coinOpeningCodec, own) },
            ...others(config).map((to) => ({ to, payload: nextEntropy(32) })),
          ],
          round: opening(config, own, commitments, first + 1),
        }),
      },
    };
  };

const others = ({ parties, self }: CoinTossConfig): readonly PartyIndex[] =>
  parties.filter((party) => party !== self);

const opening = (
  config: CoinTossConfig,
  own: CoinOpening,
  commitments: Inbox,
  number: number,
): Round<CoinToss> => ({
  number,
  expects: { broadcast: "plain", direct: "sealed", payloadBytesMax: COIN_PAYLOAD_BYTES_MAX },
  advance: (inbox): Step<CoinToss> => {
    let coin = own.coin;
    for (const party of others(config)) {
      const opened = decode(coinOpeningCodec, inbox.broadcast(party));
      const isOpen = opened.ok && equalBytes(commitToCoin(party, opened.value), commitments.broadcast(party));
      if (!isOpen) return { kind: "fault", accusation: { culprit: party, check: "coin-toss/2 opening" } };
      coin = coin.map((byte, at) => byte ^ (opened.value.coin[at] ?? 0));
    }
    const pads = new Map(others(config).map((party) => [party, inbox.direct(party)]));
    return { kind: "output", output: { coin, pads } };
  },
});
