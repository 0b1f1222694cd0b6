import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module';
import { UsersModule } from '../users/users.module';
import { ConsoleLinksController } from './console-links.controller';
import { ConsoleProfileController } from './console-profile.controller';
import { ConsoleTeamController } from './console-team.controller';
import { InvitationsService } from './invitations.service';
import { TeamService } from './team.service';

@Module({
  imports: [SessionsModule, UsersModule],
  controllers: [ConsoleLinksController, ConsoleProfileController, ConsoleTeamController],
  providers: [InvitationsService, TeamService],
})
export class TeamModule {}
