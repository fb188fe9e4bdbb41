import { encode } from "../../codec.ts";
import { echoBytes, echoCodec } from "../../session/echo.ts";
import { ENVELOPE_KIND, envelopeCodec, headerCodec } from "../../session/envelope.ts";
import { evidenceCodec, signedHash } from "../../session/evidence.ts";
import { alice, honestToss, present, tossConfigs, tossers } from "../coin-toss-run.ts";
import { type Decoder, decoder } from "./decoder.ts";

const { sent } = honestToss;
const echoes = sent.filter(({ kind }) => kind === ENVELOPE_KIND.echo).map(({ payload }) => payload);
const evidence = sent.flatMap((envelope) => [envelope, signedHash(envelope)]);

export const sessionDecoders: readonly Decoder[] = [
  decoder(
    "session/envelope.ts envelopeCodec",
    envelopeCodec,
    sent.map((envelope) => encode(envelopeCodec, envelope)),
  ),
  decoder(
    "session/envelope.ts headerCodec",
    headerCodec,
    sent.map((envelope) => encode(headerCodec, envelope)),
  ),
  decoder(
    "session/evidence.ts evidenceCodec",
    evidenceCodec,
    evidence.map((piece) => encode(evidenceCodec, piece)),
  ),
  decoder("session/echo.ts echoCodec", echoCodec(tossers.length), echoes, {
    roundBytesMax: echoBytes(present(tossConfigs.get(alice))),
  }),
];
