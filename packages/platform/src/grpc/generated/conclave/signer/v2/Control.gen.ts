// Original file: ../../proto/conclave/signer/v2/control.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Certificate as _conclave_signer_v2_Certificate, Certificate__Output as _conclave_signer_v2_Certificate__Output } from '../../../conclave/signer/v2/Certificate.gen.ts';
import type { CertificateRequest as _conclave_signer_v2_CertificateRequest, CertificateRequest__Output as _conclave_signer_v2_CertificateRequest__Output } from '../../../conclave/signer/v2/CertificateRequest.gen.ts';
import type { Command as _conclave_signer_v2_Command, Command__Output as _conclave_signer_v2_Command__Output } from '../../../conclave/signer/v2/Command.gen.ts';
import type { DiscardEpochReply as _conclave_signer_v2_DiscardEpochReply, DiscardEpochReply__Output as _conclave_signer_v2_DiscardEpochReply__Output } from '../../../conclave/signer/v2/DiscardEpochReply.gen.ts';
import type { DiscardEpochRequest as _conclave_signer_v2_DiscardEpochRequest, DiscardEpochRequest__Output as _conclave_signer_v2_DiscardEpochRequest__Output } from '../../../conclave/signer/v2/DiscardEpochRequest.gen.ts';
import type { DiscardReply as _conclave_signer_v2_DiscardReply, DiscardReply__Output as _conclave_signer_v2_DiscardReply__Output } from '../../../conclave/signer/v2/DiscardReply.gen.ts';
import type { KeyAttestation as _conclave_signer_v2_KeyAttestation, KeyAttestation__Output as _conclave_signer_v2_KeyAttestation__Output } from '../../../conclave/signer/v2/KeyAttestation.gen.ts';
import type { KeyInfo as _conclave_signer_v2_KeyInfo, KeyInfo__Output as _conclave_signer_v2_KeyInfo__Output } from '../../../conclave/signer/v2/KeyInfo.gen.ts';
import type { KeyReply as _conclave_signer_v2_KeyReply, KeyReply__Output as _conclave_signer_v2_KeyReply__Output } from '../../../conclave/signer/v2/KeyReply.gen.ts';
import type { KeyRequest as _conclave_signer_v2_KeyRequest, KeyRequest__Output as _conclave_signer_v2_KeyRequest__Output } from '../../../conclave/signer/v2/KeyRequest.gen.ts';
import type { KeysReply as _conclave_signer_v2_KeysReply, KeysReply__Output as _conclave_signer_v2_KeysReply__Output } from '../../../conclave/signer/v2/KeysReply.gen.ts';
import type { KeysRequest as _conclave_signer_v2_KeysRequest, KeysRequest__Output as _conclave_signer_v2_KeysRequest__Output } from '../../../conclave/signer/v2/KeysRequest.gen.ts';
import type { ListReply as _conclave_signer_v2_ListReply, ListReply__Output as _conclave_signer_v2_ListReply__Output } from '../../../conclave/signer/v2/ListReply.gen.ts';
import type { ListRequest as _conclave_signer_v2_ListRequest, ListRequest__Output as _conclave_signer_v2_ListRequest__Output } from '../../../conclave/signer/v2/ListRequest.gen.ts';
import type { PresignatureIds as _conclave_signer_v2_PresignatureIds, PresignatureIds__Output as _conclave_signer_v2_PresignatureIds__Output } from '../../../conclave/signer/v2/PresignatureIds.gen.ts';
import type { Report as _conclave_signer_v2_Report, Report__Output as _conclave_signer_v2_Report__Output } from '../../../conclave/signer/v2/Report.gen.ts';
import type { SignedReply as _conclave_signer_v2_SignedReply, SignedReply__Output as _conclave_signer_v2_SignedReply__Output } from '../../../conclave/signer/v2/SignedReply.gen.ts';
import type { SignedRequest as _conclave_signer_v2_SignedRequest, SignedRequest__Output as _conclave_signer_v2_SignedRequest__Output } from '../../../conclave/signer/v2/SignedRequest.gen.ts';
import type { StatusReply as _conclave_signer_v2_StatusReply, StatusReply__Output as _conclave_signer_v2_StatusReply__Output } from '../../../conclave/signer/v2/StatusReply.gen.ts';
import type { StatusRequest as _conclave_signer_v2_StatusRequest, StatusRequest__Output as _conclave_signer_v2_StatusRequest__Output } from '../../../conclave/signer/v2/StatusRequest.gen.ts';
import type { SwitchReply as _conclave_signer_v2_SwitchReply, SwitchReply__Output as _conclave_signer_v2_SwitchReply__Output } from '../../../conclave/signer/v2/SwitchReply.gen.ts';

export interface ControlClient extends grpc.Client {
  ActivateKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  ActivateKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  ActivateKey(argument: _conclave_signer_v2_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  ActivateKey(argument: _conclave_signer_v2_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  activateKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  activateKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  activateKey(argument: _conclave_signer_v2_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  activateKey(argument: _conclave_signer_v2_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  
  AttestKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyAttestation__Output>): grpc.ClientUnaryCall;
  AttestKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_KeyAttestation__Output>): grpc.ClientUnaryCall;
  AttestKey(argument: _conclave_signer_v2_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyAttestation__Output>): grpc.ClientUnaryCall;
  AttestKey(argument: _conclave_signer_v2_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v2_KeyAttestation__Output>): grpc.ClientUnaryCall;
  attestKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyAttestation__Output>): grpc.ClientUnaryCall;
  attestKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_KeyAttestation__Output>): grpc.ClientUnaryCall;
  attestKey(argument: _conclave_signer_v2_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyAttestation__Output>): grpc.ClientUnaryCall;
  attestKey(argument: _conclave_signer_v2_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v2_KeyAttestation__Output>): grpc.ClientUnaryCall;
  
  Begin(argument: _conclave_signer_v2_Command, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v2_Report__Output>;
  Begin(argument: _conclave_signer_v2_Command, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v2_Report__Output>;
  begin(argument: _conclave_signer_v2_Command, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v2_Report__Output>;
  begin(argument: _conclave_signer_v2_Command, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v2_Report__Output>;
  
  DiscardEpoch(argument: _conclave_signer_v2_DiscardEpochRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_DiscardEpochReply__Output>): grpc.ClientUnaryCall;
  DiscardEpoch(argument: _conclave_signer_v2_DiscardEpochRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_DiscardEpochReply__Output>): grpc.ClientUnaryCall;
  DiscardEpoch(argument: _conclave_signer_v2_DiscardEpochRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_DiscardEpochReply__Output>): grpc.ClientUnaryCall;
  DiscardEpoch(argument: _conclave_signer_v2_DiscardEpochRequest, callback: grpc.requestCallback<_conclave_signer_v2_DiscardEpochReply__Output>): grpc.ClientUnaryCall;
  discardEpoch(argument: _conclave_signer_v2_DiscardEpochRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_DiscardEpochReply__Output>): grpc.ClientUnaryCall;
  discardEpoch(argument: _conclave_signer_v2_DiscardEpochRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_DiscardEpochReply__Output>): grpc.ClientUnaryCall;
  discardEpoch(argument: _conclave_signer_v2_DiscardEpochRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_DiscardEpochReply__Output>): grpc.ClientUnaryCall;
  discardEpoch(argument: _conclave_signer_v2_DiscardEpochRequest, callback: grpc.requestCallback<_conclave_signer_v2_DiscardEpochReply__Output>): grpc.ClientUnaryCall;
  
  DiscardKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  DiscardKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  DiscardKey(argument: _conclave_signer_v2_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  DiscardKey(argument: _conclave_signer_v2_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  discardKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  discardKey(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  discardKey(argument: _conclave_signer_v2_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  discardKey(argument: _conclave_signer_v2_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v2_KeyReply__Output>): grpc.ClientUnaryCall;
  
  DiscardPresignatures(argument: _conclave_signer_v2_PresignatureIds, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_DiscardReply__Output>): grpc.ClientUnaryCall;
  DiscardPresignatures(argument: _conclave_signer_v2_PresignatureIds, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_DiscardReply__Output>): grpc.ClientUnaryCall;
  DiscardPresignatures(argument: _conclave_signer_v2_PresignatureIds, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_DiscardReply__Output>): grpc.ClientUnaryCall;
  DiscardPresignatures(argument: _conclave_signer_v2_PresignatureIds, callback: grpc.requestCallback<_conclave_signer_v2_DiscardReply__Output>): grpc.ClientUnaryCall;
  discardPresignatures(argument: _conclave_signer_v2_PresignatureIds, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_DiscardReply__Output>): grpc.ClientUnaryCall;
  discardPresignatures(argument: _conclave_signer_v2_PresignatureIds, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_DiscardReply__Output>): grpc.ClientUnaryCall;
  discardPresignatures(argument: _conclave_signer_v2_PresignatureIds, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_DiscardReply__Output>): grpc.ClientUnaryCall;
  discardPresignatures(argument: _conclave_signer_v2_PresignatureIds, callback: grpc.requestCallback<_conclave_signer_v2_DiscardReply__Output>): grpc.ClientUnaryCall;
  
  GetCertificate(argument: _conclave_signer_v2_CertificateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_Certificate__Output>): grpc.ClientUnaryCall;
  GetCertificate(argument: _conclave_signer_v2_CertificateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_Certificate__Output>): grpc.ClientUnaryCall;
  GetCertificate(argument: _conclave_signer_v2_CertificateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_Certificate__Output>): grpc.ClientUnaryCall;
  GetCertificate(argument: _conclave_signer_v2_CertificateRequest, callback: grpc.requestCallback<_conclave_signer_v2_Certificate__Output>): grpc.ClientUnaryCall;
  getCertificate(argument: _conclave_signer_v2_CertificateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_Certificate__Output>): grpc.ClientUnaryCall;
  getCertificate(argument: _conclave_signer_v2_CertificateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_Certificate__Output>): grpc.ClientUnaryCall;
  getCertificate(argument: _conclave_signer_v2_CertificateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_Certificate__Output>): grpc.ClientUnaryCall;
  getCertificate(argument: _conclave_signer_v2_CertificateRequest, callback: grpc.requestCallback<_conclave_signer_v2_Certificate__Output>): grpc.ClientUnaryCall;
  
  GetKeyInfo(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyInfo__Output>): grpc.ClientUnaryCall;
  GetKeyInfo(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_KeyInfo__Output>): grpc.ClientUnaryCall;
  GetKeyInfo(argument: _conclave_signer_v2_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyInfo__Output>): grpc.ClientUnaryCall;
  GetKeyInfo(argument: _conclave_signer_v2_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v2_KeyInfo__Output>): grpc.ClientUnaryCall;
  getKeyInfo(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyInfo__Output>): grpc.ClientUnaryCall;
  getKeyInfo(argument: _conclave_signer_v2_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_KeyInfo__Output>): grpc.ClientUnaryCall;
  getKeyInfo(argument: _conclave_signer_v2_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeyInfo__Output>): grpc.ClientUnaryCall;
  getKeyInfo(argument: _conclave_signer_v2_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v2_KeyInfo__Output>): grpc.ClientUnaryCall;
  
  GetSigned(argument: _conclave_signer_v2_SignedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_SignedReply__Output>): grpc.ClientUnaryCall;
  GetSigned(argument: _conclave_signer_v2_SignedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_SignedReply__Output>): grpc.ClientUnaryCall;
  GetSigned(argument: _conclave_signer_v2_SignedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_SignedReply__Output>): grpc.ClientUnaryCall;
  GetSigned(argument: _conclave_signer_v2_SignedRequest, callback: grpc.requestCallback<_conclave_signer_v2_SignedReply__Output>): grpc.ClientUnaryCall;
  getSigned(argument: _conclave_signer_v2_SignedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_SignedReply__Output>): grpc.ClientUnaryCall;
  getSigned(argument: _conclave_signer_v2_SignedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_SignedReply__Output>): grpc.ClientUnaryCall;
  getSigned(argument: _conclave_signer_v2_SignedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_SignedReply__Output>): grpc.ClientUnaryCall;
  getSigned(argument: _conclave_signer_v2_SignedRequest, callback: grpc.requestCallback<_conclave_signer_v2_SignedReply__Output>): grpc.ClientUnaryCall;
  
  GetStatus(argument: _conclave_signer_v2_StatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_StatusReply__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _conclave_signer_v2_StatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_StatusReply__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _conclave_signer_v2_StatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_StatusReply__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _conclave_signer_v2_StatusRequest, callback: grpc.requestCallback<_conclave_signer_v2_StatusReply__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _conclave_signer_v2_StatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_StatusReply__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _conclave_signer_v2_StatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_StatusReply__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _conclave_signer_v2_StatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_StatusReply__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _conclave_signer_v2_StatusRequest, callback: grpc.requestCallback<_conclave_signer_v2_StatusReply__Output>): grpc.ClientUnaryCall;
  
  ListKeys(argument: _conclave_signer_v2_KeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeysReply__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _conclave_signer_v2_KeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_KeysReply__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _conclave_signer_v2_KeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeysReply__Output>): grpc.ClientUnaryCall;
  ListKeys(argument: _conclave_signer_v2_KeysRequest, callback: grpc.requestCallback<_conclave_signer_v2_KeysReply__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _conclave_signer_v2_KeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeysReply__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _conclave_signer_v2_KeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_KeysReply__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _conclave_signer_v2_KeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_KeysReply__Output>): grpc.ClientUnaryCall;
  listKeys(argument: _conclave_signer_v2_KeysRequest, callback: grpc.requestCallback<_conclave_signer_v2_KeysReply__Output>): grpc.ClientUnaryCall;
  
  ListPresignatures(argument: _conclave_signer_v2_ListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_ListReply__Output>): grpc.ClientUnaryCall;
  ListPresignatures(argument: _conclave_signer_v2_ListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_ListReply__Output>): grpc.ClientUnaryCall;
  ListPresignatures(argument: _conclave_signer_v2_ListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_ListReply__Output>): grpc.ClientUnaryCall;
  ListPresignatures(argument: _conclave_signer_v2_ListRequest, callback: grpc.requestCallback<_conclave_signer_v2_ListReply__Output>): grpc.ClientUnaryCall;
  listPresignatures(argument: _conclave_signer_v2_ListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_ListReply__Output>): grpc.ClientUnaryCall;
  listPresignatures(argument: _conclave_signer_v2_ListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_ListReply__Output>): grpc.ClientUnaryCall;
  listPresignatures(argument: _conclave_signer_v2_ListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_ListReply__Output>): grpc.ClientUnaryCall;
  listPresignatures(argument: _conclave_signer_v2_ListRequest, callback: grpc.requestCallback<_conclave_signer_v2_ListReply__Output>): grpc.ClientUnaryCall;
  
  SwitchEpoch(argument: _conclave_signer_v2_Certificate, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_SwitchReply__Output>): grpc.ClientUnaryCall;
  SwitchEpoch(argument: _conclave_signer_v2_Certificate, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_SwitchReply__Output>): grpc.ClientUnaryCall;
  SwitchEpoch(argument: _conclave_signer_v2_Certificate, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_SwitchReply__Output>): grpc.ClientUnaryCall;
  SwitchEpoch(argument: _conclave_signer_v2_Certificate, callback: grpc.requestCallback<_conclave_signer_v2_SwitchReply__Output>): grpc.ClientUnaryCall;
  switchEpoch(argument: _conclave_signer_v2_Certificate, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_SwitchReply__Output>): grpc.ClientUnaryCall;
  switchEpoch(argument: _conclave_signer_v2_Certificate, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v2_SwitchReply__Output>): grpc.ClientUnaryCall;
  switchEpoch(argument: _conclave_signer_v2_Certificate, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v2_SwitchReply__Output>): grpc.ClientUnaryCall;
  switchEpoch(argument: _conclave_signer_v2_Certificate, callback: grpc.requestCallback<_conclave_signer_v2_SwitchReply__Output>): grpc.ClientUnaryCall;
  
}

export interface ControlHandlers extends grpc.UntypedServiceImplementation {
  ActivateKey: grpc.handleUnaryCall<_conclave_signer_v2_KeyRequest__Output, _conclave_signer_v2_KeyReply>;
  
  AttestKey: grpc.handleUnaryCall<_conclave_signer_v2_KeyRequest__Output, _conclave_signer_v2_KeyAttestation>;
  
  Begin: grpc.handleServerStreamingCall<_conclave_signer_v2_Command__Output, _conclave_signer_v2_Report>;
  
  DiscardEpoch: grpc.handleUnaryCall<_conclave_signer_v2_DiscardEpochRequest__Output, _conclave_signer_v2_DiscardEpochReply>;
  
  DiscardKey: grpc.handleUnaryCall<_conclave_signer_v2_KeyRequest__Output, _conclave_signer_v2_KeyReply>;
  
  DiscardPresignatures: grpc.handleUnaryCall<_conclave_signer_v2_PresignatureIds__Output, _conclave_signer_v2_DiscardReply>;
  
  GetCertificate: grpc.handleUnaryCall<_conclave_signer_v2_CertificateRequest__Output, _conclave_signer_v2_Certificate>;
  
  GetKeyInfo: grpc.handleUnaryCall<_conclave_signer_v2_KeyRequest__Output, _conclave_signer_v2_KeyInfo>;
  
  GetSigned: grpc.handleUnaryCall<_conclave_signer_v2_SignedRequest__Output, _conclave_signer_v2_SignedReply>;
  
  GetStatus: grpc.handleUnaryCall<_conclave_signer_v2_StatusRequest__Output, _conclave_signer_v2_StatusReply>;
  
  ListKeys: grpc.handleUnaryCall<_conclave_signer_v2_KeysRequest__Output, _conclave_signer_v2_KeysReply>;
  
  ListPresignatures: grpc.handleUnaryCall<_conclave_signer_v2_ListRequest__Output, _conclave_signer_v2_ListReply>;
  
  SwitchEpoch: grpc.handleUnaryCall<_conclave_signer_v2_Certificate__Output, _conclave_signer_v2_SwitchReply>;
  
}

export interface ControlDefinition extends grpc.ServiceDefinition {
  ActivateKey: MethodDefinition<_conclave_signer_v2_KeyRequest, _conclave_signer_v2_KeyReply, _conclave_signer_v2_KeyRequest__Output, _conclave_signer_v2_KeyReply__Output>
  AttestKey: MethodDefinition<_conclave_signer_v2_KeyRequest, _conclave_signer_v2_KeyAttestation, _conclave_signer_v2_KeyRequest__Output, _conclave_signer_v2_KeyAttestation__Output>
  Begin: MethodDefinition<_conclave_signer_v2_Command, _conclave_signer_v2_Report, _conclave_signer_v2_Command__Output, _conclave_signer_v2_Report__Output>
  DiscardEpoch: MethodDefinition<_conclave_signer_v2_DiscardEpochRequest, _conclave_signer_v2_DiscardEpochReply, _conclave_signer_v2_DiscardEpochRequest__Output, _conclave_signer_v2_DiscardEpochReply__Output>
  DiscardKey: MethodDefinition<_conclave_signer_v2_KeyRequest, _conclave_signer_v2_KeyReply, _conclave_signer_v2_KeyRequest__Output, _conclave_signer_v2_KeyReply__Output>
  DiscardPresignatures: MethodDefinition<_conclave_signer_v2_PresignatureIds, _conclave_signer_v2_DiscardReply, _conclave_signer_v2_PresignatureIds__Output, _conclave_signer_v2_DiscardReply__Output>
  GetCertificate: MethodDefinition<_conclave_signer_v2_CertificateRequest, _conclave_signer_v2_Certificate, _conclave_signer_v2_CertificateRequest__Output, _conclave_signer_v2_Certificate__Output>
  GetKeyInfo: MethodDefinition<_conclave_signer_v2_KeyRequest, _conclave_signer_v2_KeyInfo, _conclave_signer_v2_KeyRequest__Output, _conclave_signer_v2_KeyInfo__Output>
  GetSigned: MethodDefinition<_conclave_signer_v2_SignedRequest, _conclave_signer_v2_SignedReply, _conclave_signer_v2_SignedRequest__Output, _conclave_signer_v2_SignedReply__Output>
  GetStatus: MethodDefinition<_conclave_signer_v2_StatusRequest, _conclave_signer_v2_StatusReply, _conclave_signer_v2_StatusRequest__Output, _conclave_signer_v2_StatusReply__Output>
  ListKeys: MethodDefinition<_conclave_signer_v2_KeysRequest, _conclave_signer_v2_KeysReply, _conclave_signer_v2_KeysRequest__Output, _conclave_signer_v2_KeysReply__Output>
  ListPresignatures: MethodDefinition<_conclave_signer_v2_ListRequest, _conclave_signer_v2_ListReply, _conclave_signer_v2_ListRequest__Output, _conclave_signer_v2_ListReply__Output>
  SwitchEpoch: MethodDefinition<_conclave_signer_v2_Certificate, _conclave_signer_v2_SwitchReply, _conclave_signer_v2_Certificate__Output, _conclave_signer_v2_SwitchReply__Output>
}
