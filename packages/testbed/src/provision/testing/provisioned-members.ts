import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  CONTROL,
  loadPassphrase,
  loadRoster,
  loadTls,
  SignerClient,
  serve,
  type TlsIdentity,
} from "@conclave/platform";
import { partyIndex } from "@conclave/threshold";
import type { StateLayout } from "../../state/layout.ts";
import { type CertificateRenewal, renewCertificates } from "../renew-certificates.ts";
import { provisionedCluster } from "./provisioned-cluster.ts";

export const MEMBERS = ["signer-1", "signer-2", "signer-3", "orchestrator"];
export const DAY_MS = 86_400_000;

/** The files of a temporary cluster of three signers, with operations for tests of its certificates. */
export class ProvisionedMembers {
  readonly layout: StateLayout;

  private constructor(layout: StateLayout) {
    this.layout = layout;
  }

  static async make(): Promise<ProvisionedMembers> {
    return new ProvisionedMembers(await provisionedCluster());
  }

  readonly renew = (request: Omit<CertificateRenewal, "state"> = {}, reached?: (step: string) => void) =>
    renewCertificates({ state: this.layout.root, ...request }, reached);

  /** Runs the command, and interrupts it at a step. */
  readonly interrupt = async (request: Omit<CertificateRenewal, "state">, at: string): Promise<void> => {
    const message = await this.renew(request, (step) => {
      if (step === at) throw new Error("interrupted");
    }).then(
      () => "it was not",
      (error: unknown) => String(error),
    );
    if (message !== "Error: interrupted") throw new Error(`${message} at ${at}`);
  };

  readonly pathOf = (id: string, name: string): string => join(this.layout.root, id, name);
  readonly textOf = (id: string, name: string): string => readFileSync(this.pathOf(id, name), "utf8");
  readonly ca = (): string => readFileSync(this.layout.ca, "utf8");

  /**
   * The credentials of a member's process after a start, with the present certificate and authorities or the given ones.
   */
  readonly started = async (
    id: string,
    authority = this.ca(),
    certificate = this.textOf(id, "tls.crt"),
  ): Promise<TlsIdentity> => {
    const passphrase = await loadPassphrase({ keyFile: this.pathOf(id, "passphrase.key") });
    if (!passphrase.ok) throw new Error(passphrase.problem.message);
    const { clusterId } = await loadRoster(this.layout.roster);
    const files = { authority, certificate, key: this.textOf(id, "tls.key") };
    const tls = loadTls(files, clusterId, passphrase.value);
    if (!tls.ok) throw new Error(`${id}: ${tls.problem.message}`);
    return tls.value;
  };

  readonly allStart = () => Promise.all(MEMBERS.map((id) => this.started(id)));
}

export const authoritiesIn = (pem: string): number => pem.split("BEGIN CERTIFICATE").length - 1;

/** Whether a link opens between a server and a caller that verify each other's certificate. */
export const linkOpens = async (server: TlsIdentity, caller: TlsIdentity): Promise<boolean> => {
  const index = server.role.kind === "signer" ? server.role.index : partyIndex(1);
  if (index === undefined) throw new Error("no party index");
  const running = await serve("127.0.0.1:0", server, { "conclave.signer.v2.Control": [] }, [
    { definition: CONTROL, implementation: {} },
  ]);
  const client = new SignerClient({ index, address: `127.0.0.1:${running.port}` }, caller);
  try {
    const answer = await client.getStatus();
    return !answer.ok && answer.problem.details["grpc"] === "PERMISSION_DENIED"; // only a caller that the peer trusts gets this
  } finally {
    client.close();
    await running.stop(0);
  }
};
