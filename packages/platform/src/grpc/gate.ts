import { ERRORS } from "@conclave/custody";
import { ServerInterceptingCall, type ServerInterceptor, status } from "@grpc/grpc-js";
import { type Role, roleOf } from "../certificates/role.ts";

/** Which roles may call a service, by the service's full name; a service without an entry refuses everyone. */
export type Admission = Readonly<Record<string, readonly Role["kind"][]>>;

/** "/conclave.signer.v2.Control/Begin" → "conclave.signer.v2.Control" */
const serviceOf = (path: string): string => path.split("/")[1] ?? "";

/**
 * Refuses a call by the role in the caller's certificate, before its message is read. TLS has already refused callers
 * without a certificate of the cluster's authority.
 */
export const roleGate =
  (clusterId: string, admission: Admission): ServerInterceptor =>
  (method, call) => {
    const role = roleOf(call.getAuthContext().sslPeerCertificate, clusterId);
    const allowed = admission[serviceOf(method.path)] ?? [];
    if (role !== undefined && allowed.includes(role.kind)) return new ServerInterceptingCall(call);
    return new ServerInterceptingCall(call, {
      start: () => {
        call.sendStatus({ code: status.PERMISSION_DENIED, details: ERRORS.CallerNotAllowed.message });
      },
    });
  };
