import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Get, Header, Injectable, Param, Res } from '@nestjs/common';
import { ApiExcludeController, type OpenAPIObject } from '@nestjs/swagger';
import { AppError } from '@switchboard/contracts';
import type { FastifyReply } from 'fastify';
import { PublicRoute } from '../access/public-route';

/** Holds the description, which can only be made when the application knows its routes. */
@Injectable()
export class ApiDescription {
  document: OpenAPIObject | undefined;
}

/** What the page needs of the browser: its own files, calls to this very server, and the viewer's inline styles and icons. */
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
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const START = `SwaggerUIBundle({ url: '/v1/openapi.json', dom_id: '#reference', deepLinking: true, tryItOutEnabled: true, defaultModelsExpandDepth: 0, persistAuthorization: false });\n`;
const VIEWER_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const VIEWER_TYPES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** The API description and a page to read it and try calls. */
@ApiExcludeController()
@Controller()
export class ReferenceController {
  constructor(private readonly description: ApiDescription) {}

  @Get('v1/openapi.json')
  @PublicRoute('the API description holds no data of anybody')
  describe(): OpenAPIObject {
    if (!this.description.document) throw new AppError('UNAVAILABLE');
    return this.description.document;
  }

  @Get('docs')
  @PublicRoute('the reference page holds no data; calls from it carry the key its reader types in')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PAGE_POLICY)
  page(): string {
    return PAGE;
  }

  @Get('docs/:file')
  @PublicRoute("files of the reference page's viewer, from a fixed list")
  async file(@Param('file') file: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const type = file === 'start.js' ? 'text/javascript; charset=utf-8' : Object.hasOwn(VIEWER_TYPES, file) ? VIEWER_TYPES[file] : undefined;
    if (type === undefined) throw new AppError('NOT_FOUND');
    reply.header('content-type', type);
    return file === 'start.js' ? START : readFile(join(VIEWER_FOLDER, file), 'utf8');
  }
}
