import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, Injectable, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController, type OpenAPIObject } from '@nestjs/swagger';
import { AppError, notFound } from '@switchboard/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import viewerFolder from 'swagger-ui-dist/absolute-path.js';
import { Public } from '../decorators/public.decorator';
import { readPackedClients } from './packed-clients';
import { postmanCollection } from './postman';
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

/**
 * Content security policy of the reference page, which allows its own files, calls to this server, and the viewer's
 * inline styles and icons.
 */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Switchboard API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/contrast.css">
</head>
<body>
<nav aria-label="Documents"><a href="/docs/guides">Guides</a><a href="/docs/changelog">Changelog</a><a href="/v1/openapi.json">OpenAPI</a><a href="/docs/postman.json" download="switchboard.postman_collection.json">Postman collection</a></nav>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
/** Script that starts the viewer with the page's own server, the second one in the description. */
const START = `fetch('/v1/openapi.json')
  .then((answer) => answer.json())
  .then(({ servers, ...description }) =>
    SwaggerUIBundle({
      spec: { ...description, servers: servers.reverse() },
      dom_id: '#reference',
      deepLinking: true,
      tryItOutEnabled: true,
      defaultModelsExpandDepth: 0,
      persistAuthorization: true,
    }),
  );
`;
/**
 * Styles of the links above the viewer, and darker colours where the viewer's contrast is too low (WCAG 2.2, 1.4.3).
 */
const CONTRAST = `body { margin: 0; }
nav { display: flex; flex-wrap: wrap; gap: 4px 20px; max-width: 1460px; margin: 0 auto; padding: 14px 20px 0; font: 14px/1.6 ui-sans-serif, system-ui, sans-serif; }
nav a { color: #1f5fa8; }
.swagger-ui .info .title small.version-stamp { background-color: #4d6b02; }
.swagger-ui a.link, .swagger-ui .info a { color: #1f5fa8; }
.swagger-ui .btn.authorize { color: #14713f; border-color: #14713f; }
.swagger-ui .btn.authorize svg { fill: #14713f; }
.swagger-ui .btn.execute { background-color: #1f5fa8; border-color: #1f5fa8; }
.swagger-ui .btn.cancel { color: #b3261e; border-color: #b3261e; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1f5fa8; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #14713f; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a5200; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0b6b5e; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e; }
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: #b3261e; }
.swagger-ui .parameter__in { color: #5b5b5b; }
.swagger-ui .highlight-code span[style*='rgb(211, 99, 99)'] { color: #ff9c9c !important; }
`;
const VIEWER_FOLDER = viewerFolder();
const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const VIEWER_TYPES = new Map([
  ['swagger-ui.css', STYLE],
  ['swagger-ui-bundle.js', SCRIPT],
]);
/** Serves the API description, a page for reading it and trying calls, and the generated clients. */
@ApiExcludeController()
@Controller()
export class ReferenceController {
  private readonly pageFile = staticFile(PAGE, HTML);
  private readonly files = new Map([
    ['start.js', staticFile(START, SCRIPT)],
    ['contrast.css', staticFile(CONTRAST, STYLE)],
    ...readPackedClients().map(({ name, file }) => [name, file] as const),
  ]);
  private described?: StaticFile;
  private postman?: StaticFile;

  constructor(private readonly description: ApiDescription) {}

  @Get('v1/openapi.json')
  @Public('the API description holds no data of anybody', READERS)
  describe(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.described ??= staticFile(JSON.stringify(this.description.described()), JSON_TYPE);
    sendStatic(this.described, request, reply);
  }

  @Get('docs')
  @Public('the reference page holds no data; calls from it carry the key its reader types in', READERS)
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.header('content-security-policy', PAGE_POLICY);
    sendStatic(this.pageFile, request, reply);
  }

  @Get('docs/postman.json')
  @Public('the collection holds no key and no data; it is made from the API description', READERS)
  collection(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.postman ??= staticFile(JSON.stringify(postmanCollection(this.description.described())), JSON_TYPE);
    sendStatic(this.postman, request, reply);
  }

  @Get('docs/:file')
  @Public("files of the reference page's viewer and the packed clients, from a fixed list", READERS)
  async file(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const type = VIEWER_TYPES.get(name);
    const file =
      this.files.get(name) ??
      (type === undefined ? undefined : staticFile(await readFile(join(VIEWER_FOLDER, name)), type));
    if (!file) throw notFound('file');
    this.files.set(name, file);
    sendStatic(file, request, reply);
  }
}
