import { createSecureContext, type PeerCertificate } from "node:tls";
import { EVIDENCE_BYTES_MAX } from "@conclave/threshold";
import {
  type ChannelCredentials,
  type ChannelOptions,
  credentials,
  ServerCredentials,
  type ServerOptions,
} from "@grpc/grpc-js";
import type { TlsIdentity } from "../certificates/loading.ts";
import { type Role, roleOf, sameRole } from "../certificates/role.ts";

/** Larger than any envelope (600 KB) and its framing; a longer message is refused before it is read. */
export const RECEIVE_BYTES_MAX = 700 * 1024;
/** The largest message that a signer sends: a report with evidence, and its framing. */
const SEND_BYTES_MAX: number = EVIDENCE_BYTES_MAX + 64 * 1024;
/** The largest envelope in canonical bytes; also the most that one request delivers. */
export const ENVELOPE_BYTES_MAX = 600 * 1024;
/** Most envelopes in one request; the receiver takes all, or none. */
export const ENVELOPES_PER_REQUEST_MAX = 64;
/** Streams of one connection at a time; the caller queues more. */
const STREAMS_MAX = 256;
export const TLS_HANDSHAKE_MS_MAX = 5_000;
/** A process that stalls without closing its sockets is noticed after the sum of these two times. */
const KEEPALIVE_MS = 2_000;
const KEEPALIVE_TIMEOUT_MS = 1_000;
/** Failover must take less than a second, so a signer that restarts must be found again soon. */
const RECONNECT_MS_MIN = 50;
const RECONNECT_MS_MAX = 200;

const TLS_VERSION = "TLSv1.3";
const pem = (tls: TlsIdentity) => ({
  ca: tls.authority,
  cert: tls.certificate,
  key: tls.key.export({ type: "pkcs8", format: "pem" }),
});

/** grpc-js offers no TLS version in createSsl, so this class passes the options of node:tls. */
class MutualTlsCredentials extends ServerCredentials {
  constructor(tls: TlsIdentity) {
    super(
      {
        requestCert: true,
        rejectUnauthorized: true,
        minVersion: TLS_VERSION,
        handshakeTimeout: TLS_HANDSHAKE_MS_MAX,
      },
      pem(tls),
    );
  }

  _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}

/** TLS 1.3 only, with a client certificate of the cluster's authority. */
export const serverCredentials = (tls: TlsIdentity): ServerCredentials => new MutualTlsCredentials(tls);

export const SERVER_OPTIONS: ServerOptions = {
  "grpc.max_receive_message_length": RECEIVE_BYTES_MAX,
  "grpc.max_send_message_length": SEND_BYTES_MAX,
  "grpc.max_concurrent_streams": STREAMS_MAX,
  "grpc.keepalive_time_ms": KEEPALIVE_MS,
  "grpc.keepalive_timeout_ms": KEEPALIVE_TIMEOUT_MS,
  "grpc.enable_channelz": 0,
};

export const CHANNEL_OPTIONS: ChannelOptions = {
  "grpc.max_receive_message_length": RECEIVE_BYTES_MAX,
  "grpc.max_send_message_length": SEND_BYTES_MAX,
  "grpc.keepalive_time_ms": KEEPALIVE_MS,
  "grpc.keepalive_timeout_ms": KEEPALIVE_TIMEOUT_MS,
  "grpc.keepalive_permit_without_calls": 1,
  "grpc.initial_reconnect_backoff_ms": RECONNECT_MS_MIN,
  "grpc.max_reconnect_backoff_ms": RECONNECT_MS_MAX,
  "grpc.dns_min_time_between_resolutions_ms": RECONNECT_MS_MAX,
  "grpc.service_config_disable_resolution": 1,
  "grpc.enable_retries": 0, // no hidden retries: a session id is used once (INV-2)
  "grpc.ssl_target_name_override": "localhost", // the name in SNI, which must not be an address; nothing checks it
  "grpc.enable_http_proxy": 0,
  "grpc.enable_channelz": 0,
};

/** Signers send their callers reports with evidence, which are larger. */
export const CONTROL_CHANNEL_OPTIONS: ChannelOptions = {
  ...CHANNEL_OPTIONS,
  "grpc.max_receive_message_length": SEND_BYTES_MAX,
};

/**
 * Credentials for a link: our certificate, and the role that the server must have. The server's certificate states its
 * role, so its address does not matter; the host name is not compared.
 */
export const channelCredentials = (tls: TlsIdentity, expected: Role): ChannelCredentials =>
  credentials.createFromSecureContext(createSecureContext({ ...pem(tls), minVersion: TLS_VERSION }), {
    checkServerIdentity: (_host: string, certificate: PeerCertificate) => {
      const role = roleOf(certificate, tls.clusterId);
      return role !== undefined && sameRole(role, expected)
        ? undefined
        : new Error("the server's certificate is of another role");
    },
  });
