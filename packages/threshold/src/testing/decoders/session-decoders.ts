import { encode } from "../../codec.ts";
import { partyCodec } from "../../fault.ts";
import { echoBytes, echoCodec } from "../../session/echo.ts";
import { ENVELOPE_KIND, envelopeCodec, headerCodec } from "../../session/envelope.ts";
import { SEAL_BYTES, unseal } from "../../session/seal.ts";
import { signedHash, signedMessageCodec } from "../../session/signed-message.ts";
import { alice, bob, honestToss, present, tossConfigs, tossers } from "../coin-toss-run.ts";
import { insecurePartySecrets } from "../session-network.ts";
import { type Decoder, decoder, type Reader, reader } from "./decoder.ts";

const { sent } = honestToss;
const echoes = sent.filter(({ kind }) => kind === ENVELOPE_KIND.echo).map(({ payload }) => payload);
const pieces = sent.flatMap((envelope) => [envelope, signedHash(envelope)]);

export const sessionDecoders: readonly Decoder[] = [
  decoder(
    "fault.ts partyCodec",
    partyCodec,
    tossers.map((party) => encode(partyCodec, party)),
  ),
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
    "session/signed-message.ts signedMessageCodec",
    signedMessageCodec,
    pieces.map((piece) => encode(signedMessageCodec, piece)),
  ),
  decoder("session/echo.ts echoCodec", echoCodec(tossers.length), echoes, {
    roundBytesMax: echoBytes(present(tossConfigs.get(alice))),
  }),
];

const pad = present(
  sent.find(({ kind, from, to }) => kind === ENVELOPE_KIND.direct && from === bob && to === alice),
);

const { encryption } = insecurePartySecrets(alice);

export const sealedReader: Reader = reader(
  "session/seal.ts unseal",
  [pad.payload],
  (bytes) =>
    unseal(bytes, encryption, pad) === undefined
      ? { ok: false, reason: "does not open" }
      : { ok: true, value: bytes },
  { bent: 150, cheapBytes: SEAL_BYTES },
);
