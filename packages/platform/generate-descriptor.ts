// Writes src/grpc/generated/descriptor.gen.ts from the proto files, so that services read no proto files at run time.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** The used part of protobufjs, which comes with the proto loader. */
interface Protobuf {
  readonly Root: new () => Root;
}
interface Root {
  resolvePath: (origin: string, target: string) => string;
  loadSync(files: readonly string[]): void;
  toJSON(): Descriptor;
}
interface Descriptor {
  readonly methods?: Readonly<Record<string, { comment?: string }>>;
  readonly nested?: Readonly<Record<string, Descriptor>>;
}

const require = createRequire(import.meta.url);
const protobuf: Protobuf = createRequire(require.resolve("@grpc/proto-loader"))("protobufjs");

const protoFolder = fileURLToPath(new URL("../../proto", import.meta.url));
const root = new protobuf.Root();
root.resolvePath = (_origin, target) => `${protoFolder}/${target}`;
root.loadSync([
  "conclave/signer/v2/control.proto",
  "conclave/signer/v2/peer.proto",
  "grpc/health/v1/health.proto",
]);

/** protobufjs wants a comment in the type of every method, and leaves it out of its own JSON. */
const withComments = (node: Descriptor): Descriptor => {
  for (const method of Object.values(node.methods ?? {})) method.comment ??= "";
  for (const nested of Object.values(node.nested ?? {})) withComments(nested);
  return node;
};

writeFileSync(
  new URL("./src/grpc/generated/descriptor.gen.ts", import.meta.url),
  [
    "// Made by generate-descriptor.ts from the files in /proto.",
    'import type { fromJSON } from "@grpc/proto-loader";',
    "",
    `export const DESCRIPTOR: Parameters<typeof fromJSON>[0] = ${JSON.stringify(withComments(root.toJSON()), null, 2)};`,
    "",
  ].join("\n"),
);
