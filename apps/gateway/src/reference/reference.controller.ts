import { Controller, Get, Injectable, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController, type OpenAPIObject } from '@nestjs/swagger';
import { AppError } from '@switchboard/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../decorators/public.decorator';
import type { DescriptionNode } from './description-model';
import { type PackedClient, readPackedClients } from './packed-clients';
import { postmanCollection } from './postman';
import { referencePages } from './reference-pages';
import { guideEntries, searchIndex } from './search-entries';
import { sendPage, SITE_FILES } from './site';
import { READERS, sendStatic, type StaticFile, staticFile } from './static-files';

/** Holds the API description, which is built after the routes have been registered. */
@Injectable()
export class ApiDescription {
  document: OpenAPIObject | undefined;

  /** @throws AppError UNAVAILABLE before the routes have been registered */
  described(): OpenAPIObject {
    if (!this.document) throw new AppError('UNAVAILABLE');
    return this.document;
  }
}

const BECAUSE = 'the API reference is the same for every client and contains no account data';
const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Serves the API description, the reference pages and their files, the search index, and the generated clients. */
@ApiExcludeController()
@Controller()
export class ReferenceController {
  private readonly clients: PackedClient[] = readPackedClients();
  private readonly files = new Map([...SITE_FILES, ...this.clients.map(({ name, file }) => [name, file] as const)]);
  private described?: StaticFile;
  private postman?: StaticFile;
  private pages?: Promise<ReadonlyMap<string, StaticFile>>;

  constructor(private readonly description: ApiDescription) {}

  @Get('v1/openapi.json')
  @Public('the API description contains no account data', READERS)
  describe(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.described ??= staticFile(JSON.stringify(this.description.described()), JSON_TYPE);
    sendStatic(this.described, request, reply);
  }

  @Get('docs')
  @Public(BECAUSE, READERS)
  overview(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.sendPage('docs', request, reply);
  }

  @Get('docs/reference/:page')
  @Public(BECAUSE, READERS)
  page(@Param('page') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.sendPage(`docs/reference/${name}`, request, reply);
  }

  @Get('docs/search.json')
  @Public(BECAUSE, READERS)
  search(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.sendPage('docs/search.json', request, reply);
  }

  @Get('docs/postman.json')
  @Public('the collection holds no key and no data; it is made from the API description', READERS)
  collection(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.postman ??= staticFile(JSON.stringify(postmanCollection(this.description.described())), JSON_TYPE);
    sendStatic(this.postman, request, reply);
  }

  @Get('docs/:file')
  @Public('styles and scripts of the documentation and the packed clients, from a fixed list', READERS)
  file(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const file = this.files.get(name);
    if (file) sendStatic(file, request, reply);
    else sendPage(undefined, request, reply);
  }

  @Get('docs/*')
  @Public(BECAUSE, READERS)
  unknown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPage(undefined, request, reply);
  }

  private async sendPage(path: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.pages ??= renderPages(this.description.described(), this.clients);
    sendPage((await this.pages).get(path), request, reply);
  }
}

/** Renders the pages and the search index, and yields to other requests after each page. */
async function renderPages(
  description: OpenAPIObject,
  clients: readonly PackedClient[],
): Promise<ReadonlyMap<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  const found = [];
  for (const { path, html, entries } of referencePages(description as unknown as DescriptionNode, clients)) {
    files.set(path, staticFile(html, HTML));
    found.push(...entries);
    await new Promise(setImmediate);
  }
  return files.set('docs/search.json', staticFile(searchIndex([...found, ...guideEntries()]), JSON_TYPE));
}
