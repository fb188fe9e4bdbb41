// Original file: ../../proto/conclave/signer/v2/control.proto


export interface CertificateRequest {
  'subject'?: (string);
}

export interface CertificateRequest__Output {
  'subject': (string);
}
