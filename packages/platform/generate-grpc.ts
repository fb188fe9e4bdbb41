// Writes src/grpc/generated/proto.gen.ts from the proto files: the types of their messages and services, and their descriptor, so that services
// read no proto files at run time.
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
interface Field {
  readonly type: string;
  readonly rule?: "repeated";
}
interface Method {
  readonly requestType: string;
  readonly responseType: string;
  readonly requestStream?: true;
  readonly responseStream?: true;
  comment?: string;
}
interface Descriptor {
  readonly fields?: Readonly<Record<string, Field>>;
  readonly oneofs?: Readonly<Record<string, { readonly oneof: readonly string[] }>>;
  readonly values?: Readonly<Record<string, number>>;
  readonly methods?: Readonly<Record<string, Method>>;
  readonly nested?: Readonly<Record<string, Descriptor>>;
}
type Named = readonly [name: string, descriptor: Descriptor];

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

/** Everything that has a name, at any depth, by name. */
const namedIn = (node: Descriptor): readonly Named[] =>
  Object.entries(node.nested ?? {})
    .flatMap(([name, nested]): readonly Named[] => [[name, nested], ...namedIn(nested)])
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** protobufjs wants a comment in the type of every method, and leaves it out of its own JSON. */
const withComments = (node: Descriptor): Descriptor => {
  for (const method of Object.values(node.methods ?? {})) method.comment ??= "";
  for (const nested of Object.values(node.nested ?? {})) withComments(nested);
  return node;
};

const descriptor = withComments(root.toJSON());
const named = namedIn(descriptor);
const enums = new Set(named.flatMap(([name, { values }]) => (values === undefined ? [] : [name])));

/** Scalars as a caller gives them, and as they are read: the loader's options are `longs: Number`, `enums: String`. */
const SCALARS: Readonly<Record<string, readonly [given: string, read: string]>> = {
  bytes: ["Uint8Array", "Buffer"],
  string: ["string", "string"],
  bool: ["boolean", "boolean"],
  uint32: ["number", "number"],
  uint64: ["number", "number"],
};

const given = ({ type, rule }: Field): string => {
  const single = SCALARS[type]?.[0] ?? type;
  if (rule === "repeated") return `readonly ${single}[]`;
  return SCALARS[type] !== undefined || enums.has(type) ? single : `${single} | null`;
};

const single = (type: string): string => SCALARS[type]?.[1] ?? (enums.has(type) ? type : `${type}__Output`);

const read = ({ type, rule }: Field): string => {
  if (rule === "repeated") return `${single(type)}[]`;
  return SCALARS[type] !== undefined || enums.has(type) ? single(type) : `${single(type)} | null`;
};

/** A message as it is given, all of its fields optional; and as it is read, with one variant for each member of a oneof. */
const messageTypes = ([name, { fields = {}, oneofs = {} }]: Named): readonly string[] => {
  const members = new Set(Object.values(oneofs).flatMap(({ oneof }) => oneof));
  const plain = Object.entries(fields).filter(([field]) => !members.has(field));
  const variants = Object.entries(oneofs).map(([tag, { oneof }]) =>
    [
      " & (",
      `  | { readonly ${tag}?: undefined }`,
      ...oneof.map((member) => {
        const type = fields[member]?.type ?? "never";
        return `  | { readonly ${tag}: "${member}"; readonly ${member}: ${single(type)} }`;
      }),
      ")",
    ].join("\n"),
  );
  return [
    `export interface ${name} {`,
    ...Object.entries(fields).map(([field, is]) => `  readonly ${field}?: ${given(is)};`),
    "}",
    `export type ${name}__Output = {`,
    ...plain.map(([field, is]) => `  readonly ${field}: ${read(is)};`),
    `}${variants.join("")};`,
    "",
  ];
};

const handler = ({ requestStream, responseStream }: Method): string => {
  if (requestStream) return responseStream ? "handleBidiStreamingCall" : "handleClientStreamingCall";
  return responseStream ? "handleServerStreamingCall" : "handleUnaryCall";
};

const serviceTypes = ([name, { methods = {} }]: Named): readonly string[] => [
  `export interface ${name}Handlers extends grpc.UntypedServiceImplementation {`,
  ...Object.entries(methods).map(
    ([method, is]) => `  ${method}: grpc.${handler(is)}<${is.requestType}__Output, ${is.responseType}>;`,
  ),
  "}",
  `export interface ${name}Definition extends grpc.ServiceDefinition {`,
  ...Object.entries(methods).map(([method, { requestType, responseType }]) => {
    const types = [requestType, responseType, `${requestType}__Output`, `${responseType}__Output`];
    return `  ${method}: MethodDefinition<${types.join(", ")}>;`;
  }),
  "}",
  "",
];

const typesOf = (each: Named): readonly string[] => {
  const [name, { fields, values, methods }] = each;
  if (methods !== undefined) return serviceTypes(each);
  if (values !== undefined) {
    const names = Object.keys(values).map((value) => `"${value}"`);
    return [`type ${name} = ${names.join(" | ")};`, ""];
  }
  return fields === undefined ? [] : messageTypes(each);
};

writeFileSync(
  new URL("./src/grpc/generated/proto.gen.ts", import.meta.url),
  [
    "// Made by generate-grpc.ts from the files in /proto.",
    'import type * as grpc from "@grpc/grpc-js";',
    'import type { fromJSON, MethodDefinition } from "@grpc/proto-loader";',
    "",
    ...named.flatMap(typesOf),
    `export const DESCRIPTOR: Parameters<typeof fromJSON>[0] = ${JSON.stringify(descriptor, null, 2)};`,
    "",
  ].join("\n"),
);
