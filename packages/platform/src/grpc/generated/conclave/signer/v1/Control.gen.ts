// Original file: ../../proto/conclave/signer/v1/control.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DiscardReply as _conclave_signer_v1_DiscardReply, DiscardReply__Output as _conclave_signer_v1_DiscardReply__Output } from './DiscardReply.gen.ts';
import type { ExportKeyRequest as _conclave_signer_v1_ExportKeyRequest, ExportKeyRequest__Output as _conclave_signer_v1_ExportKeyRequest__Output } from './ExportKeyRequest.gen.ts';
import type { GenerateAuxiliaryRequest as _conclave_signer_v1_GenerateAuxiliaryRequest, GenerateAuxiliaryRequest__Output as _conclave_signer_v1_GenerateAuxiliaryRequest__Output } from './GenerateAuxiliaryRequest.gen.ts';
import type { GenerateKeyRequest as _conclave_signer_v1_GenerateKeyRequest, GenerateKeyRequest__Output as _conclave_signer_v1_GenerateKeyRequest__Output } from './GenerateKeyRequest.gen.ts';
import type { ImportKeyRequest as _conclave_signer_v1_ImportKeyRequest, ImportKeyRequest__Output as _conclave_signer_v1_ImportKeyRequest__Output } from './ImportKeyRequest.gen.ts';
import type { KeyAttestation as _conclave_signer_v1_KeyAttestation, KeyAttestation__Output as _conclave_signer_v1_KeyAttestation__Output } from './KeyAttestation.gen.ts';
import type { KeyInfo as _conclave_signer_v1_KeyInfo, KeyInfo__Output as _conclave_signer_v1_KeyInfo__Output } from './KeyInfo.gen.ts';
import type { KeyReply as _conclave_signer_v1_KeyReply, KeyReply__Output as _conclave_signer_v1_KeyReply__Output } from './KeyReply.gen.ts';
import type { KeyRequest as _conclave_signer_v1_KeyRequest, KeyRequest__Output as _conclave_signer_v1_KeyRequest__Output } from './KeyRequest.gen.ts';
import type { ListReply as _conclave_signer_v1_ListReply, ListReply__Output as _conclave_signer_v1_ListReply__Output } from './ListReply.gen.ts';
import type { ListRequest as _conclave_signer_v1_ListRequest, ListRequest__Output as _conclave_signer_v1_ListRequest__Output } from './ListRequest.gen.ts';
import type { MessageSignRequest as _conclave_signer_v1_MessageSignRequest, MessageSignRequest__Output as _conclave_signer_v1_MessageSignRequest__Output } from './MessageSignRequest.gen.ts';
import type { PresignRequest as _conclave_signer_v1_PresignRequest, PresignRequest__Output as _conclave_signer_v1_PresignRequest__Output } from './PresignRequest.gen.ts';
import type { PresignatureIds as _conclave_signer_v1_PresignatureIds, PresignatureIds__Output as _conclave_signer_v1_PresignatureIds__Output } from './PresignatureIds.gen.ts';
import type { RefreshKeyRequest as _conclave_signer_v1_RefreshKeyRequest, RefreshKeyRequest__Output as _conclave_signer_v1_RefreshKeyRequest__Output } from './RefreshKeyRequest.gen.ts';
import type { ReshareKeyRequest as _conclave_signer_v1_ReshareKeyRequest, ReshareKeyRequest__Output as _conclave_signer_v1_ReshareKeyRequest__Output } from './ReshareKeyRequest.gen.ts';
import type { SessionEvent as _conclave_signer_v1_SessionEvent, SessionEvent__Output as _conclave_signer_v1_SessionEvent__Output } from './SessionEvent.gen.ts';
import type { SignRequest as _conclave_signer_v1_SignRequest, SignRequest__Output as _conclave_signer_v1_SignRequest__Output } from './SignRequest.gen.ts';
import type { StatusReply as _conclave_signer_v1_StatusReply, StatusReply__Output as _conclave_signer_v1_StatusReply__Output } from './StatusReply.gen.ts';
import type { StatusRequest as _conclave_signer_v1_StatusRequest, StatusRequest__Output as _conclave_signer_v1_StatusRequest__Output } from './StatusRequest.gen.ts';

export interface ControlClient extends grpc.Client {
  ActivateKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  ActivateKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  ActivateKey(argument: _conclave_signer_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  ActivateKey(argument: _conclave_signer_v1_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  activateKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  activateKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  activateKey(argument: _conclave_signer_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  activateKey(argument: _conclave_signer_v1_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  
  AttestKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyAttestation__Output>): grpc.ClientUnaryCall;
  AttestKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_KeyAttestation__Output>): grpc.ClientUnaryCall;
  AttestKey(argument: _conclave_signer_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyAttestation__Output>): grpc.ClientUnaryCall;
  AttestKey(argument: _conclave_signer_v1_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v1_KeyAttestation__Output>): grpc.ClientUnaryCall;
  attestKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyAttestation__Output>): grpc.ClientUnaryCall;
  attestKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_KeyAttestation__Output>): grpc.ClientUnaryCall;
  attestKey(argument: _conclave_signer_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyAttestation__Output>): grpc.ClientUnaryCall;
  attestKey(argument: _conclave_signer_v1_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v1_KeyAttestation__Output>): grpc.ClientUnaryCall;
  
  DiscardKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  DiscardKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  DiscardKey(argument: _conclave_signer_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  DiscardKey(argument: _conclave_signer_v1_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  discardKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  discardKey(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  discardKey(argument: _conclave_signer_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  discardKey(argument: _conclave_signer_v1_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v1_KeyReply__Output>): grpc.ClientUnaryCall;
  
  DiscardPresignatures(argument: _conclave_signer_v1_PresignatureIds, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_DiscardReply__Output>): grpc.ClientUnaryCall;
  DiscardPresignatures(argument: _conclave_signer_v1_PresignatureIds, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_DiscardReply__Output>): grpc.ClientUnaryCall;
  DiscardPresignatures(argument: _conclave_signer_v1_PresignatureIds, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_DiscardReply__Output>): grpc.ClientUnaryCall;
  DiscardPresignatures(argument: _conclave_signer_v1_PresignatureIds, callback: grpc.requestCallback<_conclave_signer_v1_DiscardReply__Output>): grpc.ClientUnaryCall;
  discardPresignatures(argument: _conclave_signer_v1_PresignatureIds, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_DiscardReply__Output>): grpc.ClientUnaryCall;
  discardPresignatures(argument: _conclave_signer_v1_PresignatureIds, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_DiscardReply__Output>): grpc.ClientUnaryCall;
  discardPresignatures(argument: _conclave_signer_v1_PresignatureIds, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_DiscardReply__Output>): grpc.ClientUnaryCall;
  discardPresignatures(argument: _conclave_signer_v1_PresignatureIds, callback: grpc.requestCallback<_conclave_signer_v1_DiscardReply__Output>): grpc.ClientUnaryCall;
  
  ExportKey(argument: _conclave_signer_v1_ExportKeyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  ExportKey(argument: _conclave_signer_v1_ExportKeyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  exportKey(argument: _conclave_signer_v1_ExportKeyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  exportKey(argument: _conclave_signer_v1_ExportKeyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  
  GenerateAuxiliary(argument: _conclave_signer_v1_GenerateAuxiliaryRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  GenerateAuxiliary(argument: _conclave_signer_v1_GenerateAuxiliaryRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  generateAuxiliary(argument: _conclave_signer_v1_GenerateAuxiliaryRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  generateAuxiliary(argument: _conclave_signer_v1_GenerateAuxiliaryRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  
  GenerateKey(argument: _conclave_signer_v1_GenerateKeyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  GenerateKey(argument: _conclave_signer_v1_GenerateKeyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  generateKey(argument: _conclave_signer_v1_GenerateKeyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  generateKey(argument: _conclave_signer_v1_GenerateKeyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  
  GetKeyInfo(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyInfo__Output>): grpc.ClientUnaryCall;
  GetKeyInfo(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_KeyInfo__Output>): grpc.ClientUnaryCall;
  GetKeyInfo(argument: _conclave_signer_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyInfo__Output>): grpc.ClientUnaryCall;
  GetKeyInfo(argument: _conclave_signer_v1_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v1_KeyInfo__Output>): grpc.ClientUnaryCall;
  getKeyInfo(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyInfo__Output>): grpc.ClientUnaryCall;
  getKeyInfo(argument: _conclave_signer_v1_KeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_KeyInfo__Output>): grpc.ClientUnaryCall;
  getKeyInfo(argument: _conclave_signer_v1_KeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_KeyInfo__Output>): grpc.ClientUnaryCall;
  getKeyInfo(argument: _conclave_signer_v1_KeyRequest, callback: grpc.requestCallback<_conclave_signer_v1_KeyInfo__Output>): grpc.ClientUnaryCall;
  
  GetStatus(argument: _conclave_signer_v1_StatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_StatusReply__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _conclave_signer_v1_StatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_StatusReply__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _conclave_signer_v1_StatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_StatusReply__Output>): grpc.ClientUnaryCall;
  GetStatus(argument: _conclave_signer_v1_StatusRequest, callback: grpc.requestCallback<_conclave_signer_v1_StatusReply__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _conclave_signer_v1_StatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_StatusReply__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _conclave_signer_v1_StatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_StatusReply__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _conclave_signer_v1_StatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_StatusReply__Output>): grpc.ClientUnaryCall;
  getStatus(argument: _conclave_signer_v1_StatusRequest, callback: grpc.requestCallback<_conclave_signer_v1_StatusReply__Output>): grpc.ClientUnaryCall;
  
  ImportKey(argument: _conclave_signer_v1_ImportKeyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  ImportKey(argument: _conclave_signer_v1_ImportKeyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  importKey(argument: _conclave_signer_v1_ImportKeyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  importKey(argument: _conclave_signer_v1_ImportKeyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  
  ListPresignatures(argument: _conclave_signer_v1_ListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_ListReply__Output>): grpc.ClientUnaryCall;
  ListPresignatures(argument: _conclave_signer_v1_ListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_ListReply__Output>): grpc.ClientUnaryCall;
  ListPresignatures(argument: _conclave_signer_v1_ListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_ListReply__Output>): grpc.ClientUnaryCall;
  ListPresignatures(argument: _conclave_signer_v1_ListRequest, callback: grpc.requestCallback<_conclave_signer_v1_ListReply__Output>): grpc.ClientUnaryCall;
  listPresignatures(argument: _conclave_signer_v1_ListRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_ListReply__Output>): grpc.ClientUnaryCall;
  listPresignatures(argument: _conclave_signer_v1_ListRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_ListReply__Output>): grpc.ClientUnaryCall;
  listPresignatures(argument: _conclave_signer_v1_ListRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_ListReply__Output>): grpc.ClientUnaryCall;
  listPresignatures(argument: _conclave_signer_v1_ListRequest, callback: grpc.requestCallback<_conclave_signer_v1_ListReply__Output>): grpc.ClientUnaryCall;
  
  Presign(argument: _conclave_signer_v1_PresignRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  Presign(argument: _conclave_signer_v1_PresignRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  presign(argument: _conclave_signer_v1_PresignRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  presign(argument: _conclave_signer_v1_PresignRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  
  RefreshKey(argument: _conclave_signer_v1_RefreshKeyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  RefreshKey(argument: _conclave_signer_v1_RefreshKeyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  refreshKey(argument: _conclave_signer_v1_RefreshKeyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  refreshKey(argument: _conclave_signer_v1_RefreshKeyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  
  ReshareKey(argument: _conclave_signer_v1_ReshareKeyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  ReshareKey(argument: _conclave_signer_v1_ReshareKeyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  reshareKey(argument: _conclave_signer_v1_ReshareKeyRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  reshareKey(argument: _conclave_signer_v1_ReshareKeyRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  
  Sign(argument: _conclave_signer_v1_SignRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  Sign(argument: _conclave_signer_v1_SignRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  sign(argument: _conclave_signer_v1_SignRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  sign(argument: _conclave_signer_v1_SignRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  
  SignMessage(argument: _conclave_signer_v1_MessageSignRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  SignMessage(argument: _conclave_signer_v1_MessageSignRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  signMessage(argument: _conclave_signer_v1_MessageSignRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  signMessage(argument: _conclave_signer_v1_MessageSignRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_conclave_signer_v1_SessionEvent__Output>;
  
}

export interface ControlHandlers extends grpc.UntypedServiceImplementation {
  ActivateKey: grpc.handleUnaryCall<_conclave_signer_v1_KeyRequest__Output, _conclave_signer_v1_KeyReply>;
  
  AttestKey: grpc.handleUnaryCall<_conclave_signer_v1_KeyRequest__Output, _conclave_signer_v1_KeyAttestation>;
  
  DiscardKey: grpc.handleUnaryCall<_conclave_signer_v1_KeyRequest__Output, _conclave_signer_v1_KeyReply>;
  
  DiscardPresignatures: grpc.handleUnaryCall<_conclave_signer_v1_PresignatureIds__Output, _conclave_signer_v1_DiscardReply>;
  
  ExportKey: grpc.handleServerStreamingCall<_conclave_signer_v1_ExportKeyRequest__Output, _conclave_signer_v1_SessionEvent>;
  
  GenerateAuxiliary: grpc.handleServerStreamingCall<_conclave_signer_v1_GenerateAuxiliaryRequest__Output, _conclave_signer_v1_SessionEvent>;
  
  GenerateKey: grpc.handleServerStreamingCall<_conclave_signer_v1_GenerateKeyRequest__Output, _conclave_signer_v1_SessionEvent>;
  
  GetKeyInfo: grpc.handleUnaryCall<_conclave_signer_v1_KeyRequest__Output, _conclave_signer_v1_KeyInfo>;
  
  GetStatus: grpc.handleUnaryCall<_conclave_signer_v1_StatusRequest__Output, _conclave_signer_v1_StatusReply>;
  
  ImportKey: grpc.handleServerStreamingCall<_conclave_signer_v1_ImportKeyRequest__Output, _conclave_signer_v1_SessionEvent>;
  
  ListPresignatures: grpc.handleUnaryCall<_conclave_signer_v1_ListRequest__Output, _conclave_signer_v1_ListReply>;
  
  Presign: grpc.handleServerStreamingCall<_conclave_signer_v1_PresignRequest__Output, _conclave_signer_v1_SessionEvent>;
  
  RefreshKey: grpc.handleServerStreamingCall<_conclave_signer_v1_RefreshKeyRequest__Output, _conclave_signer_v1_SessionEvent>;
  
  ReshareKey: grpc.handleServerStreamingCall<_conclave_signer_v1_ReshareKeyRequest__Output, _conclave_signer_v1_SessionEvent>;
  
  Sign: grpc.handleServerStreamingCall<_conclave_signer_v1_SignRequest__Output, _conclave_signer_v1_SessionEvent>;
  
  SignMessage: grpc.handleServerStreamingCall<_conclave_signer_v1_MessageSignRequest__Output, _conclave_signer_v1_SessionEvent>;
  
}

export interface ControlDefinition extends grpc.ServiceDefinition {
  ActivateKey: MethodDefinition<_conclave_signer_v1_KeyRequest, _conclave_signer_v1_KeyReply, _conclave_signer_v1_KeyRequest__Output, _conclave_signer_v1_KeyReply__Output>
  AttestKey: MethodDefinition<_conclave_signer_v1_KeyRequest, _conclave_signer_v1_KeyAttestation, _conclave_signer_v1_KeyRequest__Output, _conclave_signer_v1_KeyAttestation__Output>
  DiscardKey: MethodDefinition<_conclave_signer_v1_KeyRequest, _conclave_signer_v1_KeyReply, _conclave_signer_v1_KeyRequest__Output, _conclave_signer_v1_KeyReply__Output>
  DiscardPresignatures: MethodDefinition<_conclave_signer_v1_PresignatureIds, _conclave_signer_v1_DiscardReply, _conclave_signer_v1_PresignatureIds__Output, _conclave_signer_v1_DiscardReply__Output>
  ExportKey: MethodDefinition<_conclave_signer_v1_ExportKeyRequest, _conclave_signer_v1_SessionEvent, _conclave_signer_v1_ExportKeyRequest__Output, _conclave_signer_v1_SessionEvent__Output>
  GenerateAuxiliary: MethodDefinition<_conclave_signer_v1_GenerateAuxiliaryRequest, _conclave_signer_v1_SessionEvent, _conclave_signer_v1_GenerateAuxiliaryRequest__Output, _conclave_signer_v1_SessionEvent__Output>
  GenerateKey: MethodDefinition<_conclave_signer_v1_GenerateKeyRequest, _conclave_signer_v1_SessionEvent, _conclave_signer_v1_GenerateKeyRequest__Output, _conclave_signer_v1_SessionEvent__Output>
  GetKeyInfo: MethodDefinition<_conclave_signer_v1_KeyRequest, _conclave_signer_v1_KeyInfo, _conclave_signer_v1_KeyRequest__Output, _conclave_signer_v1_KeyInfo__Output>
  GetStatus: MethodDefinition<_conclave_signer_v1_StatusRequest, _conclave_signer_v1_StatusReply, _conclave_signer_v1_StatusRequest__Output, _conclave_signer_v1_StatusReply__Output>
  ImportKey: MethodDefinition<_conclave_signer_v1_ImportKeyRequest, _conclave_signer_v1_SessionEvent, _conclave_signer_v1_ImportKeyRequest__Output, _conclave_signer_v1_SessionEvent__Output>
  ListPresignatures: MethodDefinition<_conclave_signer_v1_ListRequest, _conclave_signer_v1_ListReply, _conclave_signer_v1_ListRequest__Output, _conclave_signer_v1_ListReply__Output>
  Presign: MethodDefinition<_conclave_signer_v1_PresignRequest, _conclave_signer_v1_SessionEvent, _conclave_signer_v1_PresignRequest__Output, _conclave_signer_v1_SessionEvent__Output>
  RefreshKey: MethodDefinition<_conclave_signer_v1_RefreshKeyRequest, _conclave_signer_v1_SessionEvent, _conclave_signer_v1_RefreshKeyRequest__Output, _conclave_signer_v1_SessionEvent__Output>
  ReshareKey: MethodDefinition<_conclave_signer_v1_ReshareKeyRequest, _conclave_signer_v1_SessionEvent, _conclave_signer_v1_ReshareKeyRequest__Output, _conclave_signer_v1_SessionEvent__Output>
  Sign: MethodDefinition<_conclave_signer_v1_SignRequest, _conclave_signer_v1_SessionEvent, _conclave_signer_v1_SignRequest__Output, _conclave_signer_v1_SessionEvent__Output>
  SignMessage: MethodDefinition<_conclave_signer_v1_MessageSignRequest, _conclave_signer_v1_SessionEvent, _conclave_signer_v1_MessageSignRequest__Output, _conclave_signer_v1_SessionEvent__Output>
}
