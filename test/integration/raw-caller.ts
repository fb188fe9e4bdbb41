import { readFileSync } from "node:fs";
import {
  CONTROL,
  loadTls,
  makeCertificateAuthority,
  makeLeaf,
  makePassphrase,
  PEER,
  type Role,
  type TlsIdentity,
} from "@conclave/platform";
import type { Cluster } from "@conclave/testbed";
import { Client, credentials, Metadata, status } from "@grpc/grpc-js";

const CALL_MS = 5_000;

/** The certificate that a caller presents; undefined: none. */
export type Shown = Pick<TlsIdentity, "certificate" | "key"> | undefined;

/** The outcome of a call: "OK", or the name of its gRPC status. */
export type CallStatus = keyof typeof status;

const nameOf = (code: number): CallStatus => {
  const found = Object.entries(status).find(([, value]) => value === code)?.[0];
  if (found === undefined || !isStatus(found)) throw new Error(`${code} is no gRPC status`);
  return found;
};
const isStatus = (name: string): name is CallStatus => Object.hasOwn(status, name);

interface Method<Request, Reply> {
  readonly path: string;
  readonly requestSerialize: (request: Request) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Reply;
}

/** Calls a signer's port with any certificate; the caller itself trusts the cluster's certificate authority. */
export class RawCaller {
  readonly #client: Client;

  constructor(cluster: Pick<Cluster, "layout">, address: string, shown: Shown) {
    const authority = readFileSync(cluster.layout.ca);
    const tls =
      shown === undefined
        ? credentials.createSsl(authority)
        : credentials.createSsl(
            authority,
            Buffer.from(shown.key.export({ type: "pkcs8", format: "pem" })),
            Buffer.from(shown.certificate),
          );
    this.#client = new Client(address, tls, { "grpc.ssl_target_name_override": "localhost" });
  }

  control(): Promise<CallStatus> {
    return this.#call(CONTROL.GetStatus, {});
  }

  /** Requests an epoch by number, as orchestrators did in versions without certificates. */
  activate(keyId: string, epoch: number): Promise<CallStatus> {
    return this.#call(CONTROL.ActivateKey, { keyId, epoch });
  }

  peer(envelope: Uint8Array): Promise<CallStatus> {
    const { path, requestSerialize, responseDeserialize } = PEER.Deliver;
    const options = { deadline: Date.now() + CALL_MS };
    return new Promise((resolve) => {
      const link = this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, options);
      link.on("error", () => undefined); // the error reaches the caller as the call's status
      link.on("status", ({ code }) => resolve(nameOf(code)));
      link.resume();
      link.write({ envelopes: [Buffer.from(envelope)] });
      link.end();
    });
  }

  close(): void {
    this.#client.close();
  }

  #call<Request, Reply>(method: Method<Request, Reply>, request: NoInfer<Request>): Promise<CallStatus> {
    const { path, requestSerialize, responseDeserialize } = method;
    return new Promise((resolve) => {
      this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        new Metadata(),
        { deadline: Date.now() + CALL_MS },
        (error) => resolve(nameOf(error?.code ?? status.OK)),
      );
    });
  }
}

/** A certificate with the right cluster and role, from a foreign certificate authority. */
export const foreignIdentity = async (clusterId: string, role: Role): Promise<TlsIdentity> => {
  const now = new Date();
  const passphrase = makePassphrase();
  const authority = await makeCertificateAuthority(clusterId, now);
  const leaf = await makeLeaf(authority, { role, passphrase, now });
  const tls = loadTls({ ...leaf, authority: authority.certificate }, clusterId, passphrase);
  if (!tls.ok) throw new Error(tls.problem.message);
  return tls.value;
};
