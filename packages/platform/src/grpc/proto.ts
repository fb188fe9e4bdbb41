import type { ServiceDefinition } from "@grpc/grpc-js";
import { fromJSON, type Options } from "@grpc/proto-loader";
import type { ControlDefinition, HealthDefinition, PeerDefinition } from "./generated/proto.gen.ts";
import { DESCRIPTOR } from "./generated/proto.gen.ts";

/** The options that the generated types are written for (generate-grpc.ts). */
const OPTIONS: Options = { longs: Number, enums: String, defaults: true, oneofs: true };

/** The proto files are embedded in the code, so no service looks for them at run time. */
const definitions = fromJSON(DESCRIPTOR, OPTIONS);

/** A service by its full name, with its generated type; checks that every method that the type names exists. */
const service = <Definition extends ServiceDefinition>(
  name: string,
  methods: readonly (keyof Definition & string)[],
): Definition => {
  const found = definitions[name];
  const isDefinition = (candidate: unknown): candidate is Definition =>
    typeof candidate === "object" &&
    candidate !== null &&
    methods.every((method) => Object.hasOwn(candidate, method));
  if (!isDefinition(found)) throw new Error(`the proto files lack ${name}`);
  return found;
};

export const CONTROL = service<ControlDefinition>("conclave.signer.v2.Control", [
  "Begin",
  "GetKeyInfo",
  "AttestKey",
  "DiscardPresignatures",
  "ListPresignatures",
  "ActivateKey",
  "DiscardKey",
  "GetStatus",
  "ListKeys",
]);
export const PEER = service<PeerDefinition>("conclave.signer.v2.Peer", ["Deliver"]);
export const HEALTH = service<HealthDefinition>("grpc.health.v1.Health", ["Check", "Watch"]);
