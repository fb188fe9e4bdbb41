import { encode } from "../../codec.ts";
import { type Curve, ED25519, type GroupPoint, SECP256K1 } from "../../curve.ts";
import { commitmentMessageCodec } from "../../frost/round1.ts";
import { REQUEST_BYTES } from "../../frost/run.ts";
import { type Decoder, decoder } from "./decoder.ts";

const commitmentsOf = <P extends GroupPoint<P>>(curve: Curve<P>): Decoder => {
  const codec = commitmentMessageCodec(curve);
  const point = curve.generator.toBytes();
  const message = { request: new Uint8Array(REQUEST_BYTES).fill(9), hiding: point, binding: point };
  return decoder("frost/round1.ts commitmentMessageCodec", codec, [encode(codec, message)], {
    form: curve.name,
    roundBytesMax: REQUEST_BYTES + 2 * curve.pointBytes,
  });
};

export const frostDecoders: readonly Decoder[] = [commitmentsOf(SECP256K1), commitmentsOf(ED25519)];
