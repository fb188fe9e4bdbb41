import type { GroupPoint } from "../../curve.ts";
import { dealingOpeningBytes, dealingOpeningCodec } from "../../redistribution/messages.ts";
import { startRefresh } from "../../refresh/refresh.ts";
import { CGGMP24, FROST_ED25519, type Scheme } from "../../scheme.ts";
import { insecureSchemeShares } from "../insecure-key-shares.ts";
import { testSessionId } from "../session-network.ts";
import { type Decoder, decoder } from "./decoder.ts";
import { record, two } from "./honest-messages.ts";

const THRESHOLD = 2;

/** @param bent number of changed honest strings; fewer where a point costs a millisecond */
const openingOf = <P extends GroupPoint<P>>(scheme: Scheme<P>, bent: number): Decoder => {
  const { curve } = scheme;
  const shares = insecureSchemeShares(scheme, THRESHOLD, two);
  const run = record((self) => {
    const key = shares.get(self);
    if (key === undefined) throw new RangeError(`party ${self} holds no share`);
    return startRefresh({ session: testSessionId("decoders"), key });
  });
  const codec = dealingOpeningCodec(curve, THRESHOLD);
  return decoder("redistribution/messages.ts dealingOpeningCodec", codec, run.sent(2, "broadcast"), {
    form: curve.name,
    bent,
    cheapBytes: curve.pointBytes,
    roundBytesMax: dealingOpeningBytes(curve, THRESHOLD),
  });
};

export const redistributionDecoders: readonly Decoder[] = [
  openingOf(CGGMP24, 3000),
  openingOf(FROST_ED25519, 800),
];
