import { fileURLToPath } from "node:url";
import { fromJSON, loadSync, type PackageDefinition } from "@grpc/proto-loader";
import { expect, test } from "vitest";
import { DESCRIPTOR } from "./generated/proto.gen.ts";

const FILES = [
  "conclave/signer/v2/control.proto",
  "conclave/signer/v2/peer.proto",
  "grpc/health/v1/health.proto",
];

/** Every message, enum and method, as protobuf describes them. */
const described = (definitions: PackageDefinition): unknown =>
  JSON.parse(
    JSON.stringify(definitions, (name, value) => (name === "fileDescriptorProtos" ? undefined : value)),
  );

test("the descriptor in the code says what the proto files say, else `pnpm generate` was forgotten", () => {
  const includeDirs = [fileURLToPath(new URL("../../../../proto", import.meta.url))];
  expect(described(fromJSON(DESCRIPTOR))).toEqual(described(loadSync(FILES, { includeDirs })));
});
