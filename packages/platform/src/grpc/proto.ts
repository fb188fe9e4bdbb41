import { fileURLToPath } from "node:url";
import type { ServiceDefinition } from "@grpc/grpc-js";
import { loadSync, type Options } from "@grpc/proto-loader";
import type { ControlDefinition } from "./generated/conclave/signer/v1/Control.gen.ts";
import type { PeerDefinition } from "./generated/conclave/signer/v1/Peer.gen.ts";
import type { HealthDefinition } from "./generated/grpc/health/v1/Health.gen.ts";

/**
 * The proto files lie at the root of the repository, beside `packages`; src and dist are equally deep, and images
 * keep that layout, so one relative path holds everywhere.
 */
const PROTO_FOLDER = fileURLToPath(new URL("../../../../proto", import.meta.url));

/** The same options as the `generate` script hands to proto-loader-gen-types. */
const OPTIONS: Options = {
  includeDirs: [PROTO_FOLDER],
  longs: Number,
  enums: String,
  defaults: true,
  oneofs: true,
};

const definitions = loadSync(
  ["conclave/signer/v1/control.proto", "conclave/signer/v1/peer.proto", "grpc/health/v1/health.proto"],
  OPTIONS,
);

/** A service by its full name; the generated type stands for it once every method that it names is there. */
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

export const CONTROL = service<ControlDefinition>("conclave.signer.v1.Control", [
  "GenerateAuxiliary",
  "GenerateKey",
  "Sign",
  "ActivateKey",
  "DiscardKey",
  "GetStatus",
]);
export const PEER = service<PeerDefinition>("conclave.signer.v1.Peer", ["Deliver"]);
export const HEALTH = service<HealthDefinition>("grpc.health.v1.Health", ["Check", "Watch"]);
