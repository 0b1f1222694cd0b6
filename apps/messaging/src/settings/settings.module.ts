import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountSettings } from './account-settings.entity';
import { SettingsController } from './settings.controller';

@Module({
  imports: [TypeOrmModule.forFeature([AccountSettings])],
  controllers: [SettingsController],
})
export class SettingsModule {}
